import { readFile } from 'node:fs/promises'
import { createAccount, startSession, storeSession } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

const password = 'correct horse battery'

test('a superadmin finds a user, bans them, and lifts the ban', async ({ page, browser, complaints }) => {
  const email = `ada-${crypto.randomUUID()}@users.example`
  await createAccount({ email, password }, { organization_name: 'Engines', full_name: 'Ada Lovelace' })
  const theirs = await browser.newContext({ storageState: storeSession(await startSession({ email, password })) })
  const theirPage = await theirs.newPage()
  await theirPage.goto('/dashboard/projects')
  await expect(theirPage.getByRole('heading', { name: 'Projects' }).first()).toBeVisible()

  await page.goto('/dashboard/superadmin/users')
  await expect(page).toHaveTitle('Users · Earshot')
  const rows = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
  await expect(rows.filter({ hasText: email })).toContainText('Ada Lovelace, 1 organisation')
  await expectGoodLooks(page)
  const search = page.getByRole('searchbox', { name: 'Search users' })
  await search.fill('no such person')
  await expect(page.getByText('No user matches these filters.')).toBeVisible()
  await search.fill(email.toUpperCase())
  await expect(rows).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)

  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  await expect(page.getByText('Engines')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(dialog.getByText('Enter a reason.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Sends spam')
  await expectGoodLooks(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('User banned', { exact: true })).toBeVisible()
  await expect(page.getByText('Until lifted')).toBeVisible()
  await expect(page.getByText('This person has no signed-in devices.')).toBeVisible()

  // Their open tab loses access at the next call.
  await theirPage.reload()
  await expect(theirPage).toHaveURL(/\/login/)
  await theirs.close()

  await page.getByRole('link', { name: 'Changes of this account' }).click()
  await expect(page.getByText(new RegExp(`banned .*${email}`))).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Lift ban' }).click()
  await dialog.getByRole('button', { name: 'Lift ban' }).click()
  await expect(page.getByText('Ban lifted', { exact: true })).toBeVisible()
  await startSession({ email, password })
  expect(complaints).toEqual([])
})

test('a superadmin confirms an address, makes the person superadmin and removes them again', async ({ page }) => {
  const email = `bob-${crypto.randomUUID()}@users.example`
  await createAccount({ email, password }, { organization_name: 'Engines', full_name: 'Bob' })
  await changeRows('update auth.users set email_confirmed_at = null where email = $1', [email])
  await page.goto(`/dashboard/superadmin/users?state=unconfirmed&q=${encodeURIComponent(email)}`)
  await page.getByRole('link', { name: email }).click()
  const dialog = page.getByRole('dialog')
  const act = async (name: string) => {
    await page.getByRole('button', { name }).click()
    if (name === 'Make superadmin') await dialog.getByLabel('Reason').fill('Runs the instance too')
    await dialog.getByRole('button', { name }).click()
    await expect(dialog).toHaveCount(0)
  }
  await act('Confirm email')
  await expect(page.getByText('Unconfirmed')).toHaveCount(0)
  await act('Make superadmin')
  await expect(page.getByRole('button', { name: 'Remove superadmin' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ban', exact: true })).toHaveCount(0)
  await act('Remove superadmin')
  await expect(page.getByRole('button', { name: 'Make superadmin' })).toBeVisible()
})
