import { createAccount, startSession, storeSession } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './superadmin.ts'

const password = 'correct horse battery'

test('a superadmin suspends an organisation, its owner reads why and can take the data away, and it is lifted', async ({
  page,
  browser,
  complaints,
}) => {
  const name = `Looms ${crypto.randomUUID().slice(0, 8)}`
  const email = `ada-${crypto.randomUUID()}@looms.example`
  await createAccount({ email, password }, { organization_name: name, full_name: 'Ada' })
  const theirs = await browser.newContext({ storageState: storeSession(await startSession({ email, password })) })
  const theirPage = await theirs.newPage()
  await theirPage.goto('/dashboard/projects')
  await expect(theirPage.getByRole('heading', { name: 'Projects' }).first()).toBeVisible()

  await page.goto(`/dashboard/superadmin/organizations?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name }).click()
  await expect(page.getByText('This organisation stores no files and no exports.')).toBeVisible()
  await expect(page.getByText('Items this month')).toBeVisible()
  await page.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByText('Enter a reason.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Sends spam')
  await dialog.getByLabel('Message to members').fill('Please call us.')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Organisation suspended', { exact: true })).toBeVisible()
  await expect(page.getByText('Sends spam')).toBeVisible()
  await expectGoodLooks(page)

  // Their open tab makes way at once.
  await expect(theirPage.getByRole('heading', { name: 'This organisation is suspended' })).toBeVisible()
  await expect(theirPage.getByText('Please call us.')).toBeVisible()
  await expect(theirPage.getByText('Sends spam')).toHaveCount(0)
  await expect(theirPage.getByRole('button', { name: 'Delete organisation' })).toBeVisible()
  await expectGoodLooks(theirPage)
  await theirPage.getByRole('button', { name: 'Export inbox' }).click()
  await theirPage.getByRole('dialog').getByRole('radio', { name: /^JSON/ }).check()
  await theirPage.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  await expect(theirPage.getByRole('dialog').getByRole('link', { name: /Download/ })).toBeVisible()
  await theirPage.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Organisations', exact: true }).first().click()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Suspended')
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Lift suspension' }).click()
  await dialog.getByRole('button', { name: 'Lift suspension' }).click()
  await expect(page.getByText('Suspension lifted', { exact: true })).toBeVisible()
  await theirPage.reload()
  await expect(theirPage.getByRole('heading', { name: 'Projects' }).first()).toBeVisible()
  await theirs.close()
  expect(complaints).toEqual([])
})

test('a superadmin deletes an organisation, and removes it now', async ({ page }) => {
  const name = `Gears ${crypto.randomUUID().slice(0, 8)}`
  await createAccount(
    { email: `eve-${crypto.randomUUID()}@gears.example`, password },
    { organization_name: name, full_name: 'Eve' },
  )
  await page.goto(`/dashboard/superadmin/organizations?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/to confirm/).fill('Something else')
  await dialog.getByLabel('Reason').fill('They asked for it')
  await dialog.getByRole('button', { name: 'Delete organisation' }).click()
  await expect(dialog.getByText('This doesn’t match the organisation’s name.')).toBeVisible()
  await dialog.getByLabel(/to confirm/).fill(name)
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Delete organisation' }).click()
  await expect(page.getByText('Organisation deleted', { exact: true })).toBeVisible()
  await expect(page.getByText('Being deleted')).toBeVisible()

  await page.getByRole('button', { name: 'Remove now' }).click()
  await dialog.getByLabel(/to confirm/).fill(name)
  await dialog.getByLabel('Reason').fill('Today, they said')
  await dialog.getByRole('button', { name: 'Remove permanently' }).click()
  await expect(page.getByText('was permanently deleted, with everything in it.')).toBeVisible()
  await page.goto('/dashboard/superadmin/audit')
  await expect(page.getByText(new RegExp(`had the organisation ${name} permanently deleted`))).toBeVisible()
})
