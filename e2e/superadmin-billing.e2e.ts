import type { Locator, Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { connectStripe, subscribeOrganization } from './stripe.ts'
import { test as superadminTest } from './superadmin.ts'
import { createTeam, type Team } from './team.ts'

/** Beside the superadmin's team, a customer's. */
const test = superadminTest.extend<{ customer: Team }>({
  customer: async ({ browser }, use) => use(await createTeam(browser)),
})

const dialog = (page: Page) => page.getByRole('dialog')
const plan = (page: Page) => page.getByRole('region', { name: 'Plan' })
const row = (page: Page, text: string): Locator => page.getByRole('listitem').filter({ hasText: text })

async function giveReason(page: Page): Promise<void> {
  await dialog(page).getByLabel('Reason').fill('A friend of the house')
}

test('a superadmin finds an organisation, gives it a plan, revokes it, and extends its trial', async ({
  page,
  customer,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Superadmin' }).click()
  await expect(page).toHaveURL(/\/superadmin$/)
  await page.getByRole('link', { name: 'Subscriptions' }).first().click()
  await expect(row(page, customer.organizationName)).toContainText(customer.person.email)
  await expectGoodLooks(page)
  const search = page.getByRole('searchbox', { name: 'Search organisations' })
  await search.fill('no such organisation')
  await expect(page.getByText('No organisation matches these filters.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await search.pressSequentially(customer.person.email.toUpperCase(), { delay: 20 })
  await expect(page.getByText('1 organisation')).toBeVisible()
  await expect(search).toBeFocused()
  await row(page, customer.organizationName).getByRole('link').click()
  await expect(page.getByText('No payments yet.')).toBeVisible()
  await expectGoodLooks(page)

  await page.getByRole('button', { name: 'Give plan' }).click()
  await dialog(page).getByRole('button', { name: 'Give plan' }).click()
  await expect(dialog(page).getByText('Select a plan.')).toBeVisible()
  await expect(dialog(page).getByText('Enter a reason.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog(page).getByLabel('Plan').selectOption('Business')
  await giveReason(page)
  await dialog(page).getByRole('button', { name: 'Give plan' }).click()
  await expect(plan(page)).toContainText(/Active.*Given.*Business, without end.*A friend of the house/s)
  await expectGoodLooks(page)

  await page.getByRole('button', { name: 'Revoke plan' }).click()
  await giveReason(page)
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Revoke plan' }).click()
  // The trial that the plan interrupted.
  await expect(plan(page)).toContainText(/Trial.*None.*Trial ends/s)

  await page.getByRole('button', { name: 'Extend trial' }).click()
  await giveReason(page)
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Extend trial' }).click()
  await expect(page.getByText('Trial extended', { exact: true })).toBeVisible()
})

test('a superadmin makes a coupon, sees it used, refunds a payment and reads the revenue', async ({
  page,
  customer,
}) => {
  const sdk = connectStripe()
  const code = `FRIENDS-${Date.now()}`
  await page.goto('/dashboard/superadmin/coupons')
  await page.getByRole('button', { name: 'New coupon' }).click()
  await dialog(page).getByRole('button', { name: 'Create coupon' }).click()
  await expect(dialog(page).getByText('Enter a percentage from 0.01 to 100.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog(page).getByLabel('Code').fill(code)
  await dialog(page).getByLabel('Percent off').fill('50')
  await dialog(page).getByLabel('Applies to').selectOption('Every invoice')
  await dialog(page).getByLabel('Limit').fill('1')
  await dialog(page).getByRole('button', { name: 'Create coupon' }).click()
  await expect(row(page, code)).toContainText(/Active.*50 % off every invoice.*Redeemed 0 of 1 times/s)
  await expectGoodLooks(page)

  const [found] = (await sdk.promotionCodes.list({ code })).data
  await subscribeOrganization(sdk, customer.organizationId, { plan: 'growth', promotionCode: found?.id ?? '' })
  await page.reload()
  await expect(row(page, code)).toContainText(/Used up.*Redeemed 1 of 1 times/s)

  await page.goto(`/dashboard/superadmin/subscriptions/${customer.organizationId}`)
  await expect(async () => {
    await page.reload()
    await expect(plan(page)).toContainText(/Active.*Growth.*\$24\.50/s, { timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  await expectGoodLooks(page)

  await page.goto('/dashboard/superadmin/revenue')
  await page.getByRole('link', { name: /^MRR \$.*: show organisations$/ }).click()
  await expect(row(page, customer.organizationName)).toContainText('$24.50')
  await expectGoodLooks(page)
  await page.getByRole('link', { name: 'Revenue' }).first().click()
  await expect(page.getByRole('heading', { name: 'Cohorts' })).toBeVisible()
  await page.getByRole('radio', { name: 'MRR' }).click()
  await expectGoodLooks(page)

  await page.goto(`/dashboard/superadmin/subscriptions/${customer.organizationId}`)
  await page.getByRole('button', { name: /^Refund payment/ }).click()
  await dialog(page).getByLabel('Amount').fill('25')
  await giveReason(page)
  await dialog(page).getByRole('button', { name: 'Refund payment' }).click()
  await expect(dialog(page).getByText('At most $24.50 can be refunded.')).toBeVisible()
  await dialog(page).getByLabel('Amount').fill('4.50')
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Refund payment' }).click()
  await expect(page.getByText('$4.50 refunded on')).toBeVisible()

  await page.getByRole('button', { name: 'Change plan' }).click()
  await dialog(page).getByLabel('Plan').selectOption('Business')
  await giveReason(page)
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Change plan' }).click()
  await expect(plan(page)).toContainText(/Business.*\$64\.50/s)
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await dialog(page).getByLabel('Ends').selectOption('Now')
  await giveReason(page)
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(plan(page)).toContainText(/Cancelled.*\$0\.00/s)
})

test('a superadmin edits, creates and retires plans', async ({ page }) => {
  const name = `Team ${Date.now()}`
  await page.goto('/dashboard/superadmin/plans')
  await expect(row(page, 'Starter').first()).toContainText('$19 a month, $190 a year')
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'New plan' }).click()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('Key').fill('Team')
  await dialog(page).getByLabel('US dollars a month').fill('9.50')
  await dialog(page).getByLabel('US dollars a year').fill('95')
  await dialog(page).getByRole('button', { name: 'Create plan' }).click()
  await expect(dialog(page).getByText('Enter lower-case letters, digits and dashes.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog(page).getByLabel('Key').fill('starter')
  await dialog(page).getByRole('button', { name: 'Create plan' }).click()
  await expect(dialog(page).getByText('Another plan already uses this key.')).toBeVisible()
  await dialog(page).getByLabel('Key').fill(`team-${Date.now()}`)
  await dialog(page).getByRole('button', { name: 'Create plan' }).click()
  await expect(row(page, name)).toContainText('$9.50 a month, $95 a year')
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await dialog(page).getByLabel('Projects').fill('7')
  await dialog(page).getByRole('button', { name: 'Save plan' }).click()
  await expect(row(page, name)).toContainText('7 projects, unlimited members')
  await page.getByRole('button', { name: `Retire ${name}` }).click()
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Retire plan' }).click()
  await expect(row(page, name)).toContainText('Retired')
})

test('an owner who is no superadmin is refused by screens and server', async ({ browser, customer }) => {
  const context = await browser.newContext({
    baseURL: process.env.EARSHOT_URL ?? '',
    storageState: customer.storageState,
  })
  const page = await context.newPage()
  await page.goto('/dashboard')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Projects' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Superadmin' })).toBeHidden()
  for (const path of ['', '/subscriptions', '/coupons', '/revenue', '/plans']) {
    await page.goto(`/dashboard/superadmin${path}`)
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  }
  await context.close()
})

test('a screen that could not be loaded says so, and tries again', async ({ page }) => {
  await page.route('**/api/v1/superadmin/revenue?*', (route) => route.abort())
  await page.goto('/dashboard/superadmin/revenue')
  await expect(page.getByText('Couldn’t load revenue')).toBeVisible()
  await expectGoodLooks(page)
  await page.unroute('**/api/v1/superadmin/revenue?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Definitions' })).toBeVisible()
})
