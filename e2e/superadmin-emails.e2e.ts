import { readFile } from 'node:fs/promises'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

test('a superadmin finds a failed email with its reason and exports it', async ({ page }) => {
  const to = `refused-${crypto.randomUUID()}@mailbox.example`
  await changeRows(
    `insert into app.emails (id, kind, to_address, subject, html, text, attempts, last_error, failed_at)
     values (gen_random_uuid(), 'recovery', $1, 'Reset', '', '', 2, 'refused with 550', now())`,
    [to],
  )
  await page.goto('/dashboard/superadmin/email-monitoring')
  await expect(page).toHaveTitle('Email monitoring · Earshot')
  await expect(page.getByRole('list', { name: 'Figures' }).getByText('in 14 days').first()).toBeVisible()
  const row = page.getByRole('list', { name: 'Emails' }).getByRole('listitem')
  await expect(row.filter({ hasText: to })).toContainText(/Recovery.*refused with 550.*Failed.*2 attempts/s)
  await expectGoodLooks(page)

  const search = page.getByRole('searchbox', { name: 'Search emails' })
  await search.fill('no such address')
  await expect(page.getByText('No email matches these filters.')).toBeVisible()
  await expectGoodLooks(page)
  await search.fill(to.toUpperCase())
  await expect(row).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`recovery,${to},failed,2,refused with 550`)

  await page.getByLabel('Status').selectOption('Sent')
  await expect(page.getByText('No email matches these filters.')).toBeVisible()
  await page.goto('/dashboard/superadmin/email-monitoring?status=failed')
  await expect(page.getByLabel('Status')).toHaveValue('failed')
  await expect(row.filter({ hasText: to })).toBeVisible()
})

test('a superadmin reads the attempts of a failed email and sends it again', async ({ page }) => {
  const to = `again-${crypto.randomUUID()}@mailbox.example`
  await changeRows(
    `with made as (
       insert into app.emails (id, kind, to_address, subject, html, text, attempts, last_error, failed_at)
       values (gen_random_uuid(), 'recovery', $1, 'Reset', 'secret link', 'secret link', 1, 'refused with 550', now())
       returning id)
     insert into app.email_attempts (email_id, number, answer) select id, 1, '550 5.1.1 no such user' from made`,
    [to],
  )
  await page.goto(`/dashboard/superadmin/email-monitoring?q=${to}`)
  await page.getByRole('link', { name: to }).click()
  await expect(page.getByRole('heading', { name: to })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('550 5.1.1 no such user')
  await expect(page.getByText('secret link')).toHaveCount(0)
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByRole('dialog')).toContainText('Links in it may have expired')
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Email queued', { exact: true })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('row').nth(2)).toContainText('Accepted')
  }).toPass()
  await expect(page.getByText('Sent', { exact: true })).toBeVisible()

  const other = `all-${crypto.randomUUID()}@mailbox.example`
  await changeRows(
    `insert into app.emails (id, kind, to_address, subject, html, text, attempts, last_error, failed_at)
     values (gen_random_uuid(), 'recovery', $1, 'Reset', 'x', 'x', 1, 'refused with 550', now())`,
    [other],
  )
  await page.goto(`/dashboard/superadmin/email-monitoring?q=${other}`)
  await page.getByRole('button', { name: 'Retry failed emails' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry failed emails' }).click()
  await expect(page.getByText(/^\d+ emails? queued$/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Emails' }).getByText(/Queued|Sent/)).toBeVisible()
})

test('a superadmin suppresses an address, finds it and removes it', async ({ page }) => {
  const address = `suppressed-${crypto.randomUUID()}@mailbox.example`
  await page.goto('/dashboard/superadmin/email-suppressions')
  await expect(page).toHaveTitle('Suppression list · Earshot')
  await page.getByRole('button', { name: 'Suppress address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('no address')
  await dialog.getByRole('button', { name: 'Suppress address' }).click()
  await expect(dialog.getByText('must be an email address')).toBeVisible()
  await dialog.getByLabel('Email').fill(address)
  await dialog.getByRole('button', { name: 'Suppress address' }).click()
  const row = page.getByRole('list', { name: 'Suppressed addresses' }).getByRole('listitem')
  await expect(row.filter({ hasText: address })).toContainText('Added by a superadmin')
  await expectGoodLooks(page)

  await page.getByRole('searchbox', { name: 'Search addresses' }).fill(address.toUpperCase())
  await expect(row).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  expect(lines[1]).toContain(`${address},manual,`)
  await page.getByRole('button', { name: `Remove ${address}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove address' }).click()
  await expect(page.getByText('No suppressed address matches this search.')).toBeVisible()
  await expectGoodLooks(page)
})
