import type { Page } from '@playwright/test'
import { storageKeys } from '#web/lib/storage.ts'
import { createAccount } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

const password = 'correct horse battery'

/** A user with an organisation, whose page is open. */
async function openUser(page: Page, name: string): Promise<string> {
  const email = `${crypto.randomUUID()}@impersonated.example`
  await createAccount({ email, password }, { organization_name: `${name}’s Engines`, full_name: name })
  await page.goto(`/dashboard/superadmin/users?q=${encodeURIComponent(email)}`)
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  return email
}

async function impersonate(page: Page, { reason, mode }: { reason: string; mode?: 'Allow changes' }): Promise<void> {
  await page.getByRole('button', { name: 'Impersonate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  if (mode) await dialog.getByRole('radio', { name: mode }).click()
  await dialog.getByRole('button', { name: 'Impersonate' }).click()
  await expect(banner(page)).toBeVisible()
}

const banner = (page: Page) => page.getByRole('region', { name: 'Impersonation' })

test('a superadmin sees what a user sees, changes nothing, and returns', async ({ page, context, complaints }) => {
  await openUser(page, 'Ada')
  await expect(page.getByText('No superadmin has impersonated this person.')).toBeVisible()
  await page.getByRole('button', { name: 'Impersonate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Impersonate' }).click()
  await expect(dialog.getByText('Enter a reason.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await impersonate(page, { reason: 'Ticket 12' })
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(banner(page)).toContainText('You are impersonating Ada')
  await expect(banner(page)).toContainText(/Read-only · (30:00|29:\d\d)/)
  await expect(page.getByText('Ada’s Engines').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Superadmin' })).toHaveCount(0)
  await expectGoodLooks(page)

  // Another tab of the same browser is still the superadmin's.
  const own = await context.newPage()
  await own.goto('/dashboard/superadmin/users')
  await expect(own.getByRole('list', { name: 'Users' })).toBeVisible()
  await expect(banner(own)).toHaveCount(0)
  await own.close()

  // A write says why it was refused.
  await page.goto('/dashboard/projects/new')
  await expect(banner(page)).toBeVisible()
  await page.getByLabel('Name').fill('Bridges')
  await page.getByLabel('Domain').fill('bridges.example')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByText('This impersonation is read-only. Nothing was changed.').first()).toBeVisible()
  // So does the account, which needs no read-only to be refused.
  await page.goto('/dashboard/settings')
  const name = page.getByLabel('Full name')
  await name.fill('Grace')
  await name.press('Enter')
  await expect(page.getByText('This can’t be done while you impersonate someone.').first()).toBeVisible()
  await page.reload()
  await expect(banner(page)).toBeVisible()

  await banner(page).getByRole('button', { name: 'End' }).click()
  await expect(page).toHaveURL(/\/dashboard\/superadmin\/users\/[\w-]+$/)
  await expect(banner(page)).toHaveCount(0)
  const card = page.getByRole('region', { name: 'Impersonations' })
  await expect(card).toContainText('Ticket 12')
  await expect(card).toContainText('ended by a superadmin')
  await expectGoodLooks(page)
  await card.getByRole('link', { name: /^Audit log/ }).click()
  await expect(page.getByText(/began to impersonate .*Ticket 12/)).toBeVisible()
  await expect(page.getByText(/ended the impersonation of/)).toBeVisible()
  // The refusals were meant.
  expect(complaints.filter((each) => !each.includes('403'))).toEqual([])
})

test('a change made as a user has both names, and what ends elsewhere ends the tab', async ({ page }) => {
  const email = await openUser(page, 'Bob')
  await impersonate(page, { reason: 'Bob asked for it', mode: 'Allow changes' })
  await expect(banner(page)).toContainText('Changes allowed')
  await page.goto('/dashboard/projects/new')
  await page.getByLabel('Name').fill('Bridges')
  await page.getByLabel('Domain').fill(`${crypto.randomUUID()}.example`)
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('dialog', { name: /^Install the widget/ })).toBeVisible()
  await page.goto('/dashboard/organization/audit')
  await expect(page.getByText(/Bob, by superadmin .* created/)).toBeVisible()

  await changeRows(
    `update app.impersonations set created_at = now() - interval '50 minutes', expires_at = now()
     where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  await page.reload()
  const ended = page.getByRole('alertdialog', { name: 'The impersonation has ended' })
  await expect(ended).toBeVisible()
  await expectGoodLooks(page)
  await ended.getByRole('button', { name: 'Back to the user’s page' }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  expect(await page.evaluate((key) => sessionStorage.getItem(key), storageKeys.impersonation)).toBeNull()
})

test('a superadmin sends a password reset that works in another browser', async ({ page, browser, mails }) => {
  const email = await openUser(page, 'Cleo')
  await page.getByRole('button', { name: 'Send password reset' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send password reset' }).click()
  await expect(page.getByText('Password reset sent', { exact: true })).toBeVisible()
  const { links } = await mails.waitForMail(email, { subject: /password/i })
  const theirs = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const theirPage = await theirs.newPage()
  await theirPage.goto(links.find((link) => link.includes('/verify')) ?? '')
  await theirPage.getByRole('button', { name: 'Sign in' }).click()
  await expect(theirPage).toHaveURL(/\/reset-password/)
  await theirs.close()
})
