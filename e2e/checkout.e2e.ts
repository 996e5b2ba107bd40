import type { Page } from '@playwright/test'
import type { StorageState } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { payCheckout, testCards } from './stripe-pages.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/** A team of its own for each test: its plan is changed. */
const test = teamTest.extend<{ buyers: Team; storageState: StorageState }>({
  buyers: async ({ browser }, use) => use(await createTeam(browser)),
  storageState: async ({ buyers }, use) => use(buyers.storageState),
})

const plan = (page: Page, name: string) => page.getByRole('listitem', { name })
const billing = '/dashboard/settings/billing'

test('an owner chooses a plan, pays, changes it, cancels it and keeps it', async ({ page }) => {
  await page.goto('/plan-selection')
  await expect(page.getByText('Test payments')).toBeVisible()
  await expect(plan(page, 'Growth')).toContainText('$49')
  await expectGoodLooks(page)

  await plan(page, 'Growth').getByRole('button', { name: 'Choose Growth' }).click()
  await payCheckout(page, testCards.isDeclined)
  await expect(page.getByRole('alert')).toContainText('Your card was declined.')
  await payCheckout(page, testCards.asksFirst)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(new RegExp(billing))
  const section = page.getByRole('region', { name: 'Plan' })
  await expect(section).toContainText('Growth, $49 a month')
  await expect(page.getByText('Your plan Growth is active', { exact: true })).toBeVisible()
  await expect(page).not.toHaveURL(/checkout=/)
  await expect(page.getByRole('region', { name: 'Payment' })).toContainText('Visa ending in 3155')
  await expect(page.getByRole('region', { name: 'Invoices' }).getByRole('listitem')).toHaveText([/\$49.*Paid/])
  await expect(page.getByRole('region', { name: 'Invoices' }).getByRole('link', { name: /^PDF of/ })).toHaveAttribute(
    'href',
    /^http/,
  )
  await expectGoodLooks(page)

  await section.getByRole('link', { name: 'Change plan' }).click()
  await expect(plan(page, 'Growth')).toContainText('Your plan')
  await page.getByText('Yearly').click()
  await plan(page, 'Business').getByRole('button', { name: 'Change to Business' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to Business?' })
  await expect(dialog).toContainText('$1,290 a year')
  await expect(dialog).toContainText('Charged now')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: /^Pay \$1,24\d.* and change$/ }).click()
  await expect(plan(page, 'Business')).toContainText('Your plan')

  await page.goto(billing)
  await expect(section).toContainText('Business, $1,290 a year')
  await expect(page.getByRole('region', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(2)
  // By keyboard alone.
  await section.getByRole('button', { name: 'Cancel plan' }).focus()
  await page.keyboard.press('Enter')
  const cancelling = page.getByRole('dialog', { name: 'Cancel Business?' })
  await expect(cancelling).toContainText('You keep the plan until')
  await expect(cancelling.getByRole('button', { name: 'Cancel plan' })).toBeDisabled()
  await cancelling.getByLabel('It is too expensive').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(cancelling.getByLabel('A feature is missing')).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Fax')
  await expectGoodLooks(page)
  await cancelling.getByRole('button', { name: 'Cancel plan' }).press('Enter')
  await expect(section).toContainText('Your plan ends on')
  await expect(page.getByRole('region', { name: 'Payment' })).toContainText('Next invoiceNone')
  await expectGoodLooks(page)
  await section.getByRole('button', { name: 'Keep plan' }).click()
  await expect(section).toContainText('Renews on')
})

test('a promotion code and the customer portal are within reach', async ({ page }) => {
  await page.goto('/plan-selection/simple')
  await expect(plan(page, 'Starter')).toContainText('$19 a month')
  await expectGoodLooks(page)
  await plan(page, 'Starter').getByRole('button', { name: 'Choose Starter' }).click()
  await payCheckout(page)
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Starter, $19 a month')
  await page.getByLabel('Promotion code').fill('NO-SUCH-CODE')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('This promotion code is unknown, has expired or does not apply.')).toBeVisible()
  await page.getByRole('button', { name: 'Change payment method, address or tax id' }).click()
  await expect(page.getByRole('button', { name: 'Save card' })).toBeVisible()
})

test('members who are no owner are told whom to ask', async ({ buyers: team }) => {
  const colleague = await team.openColleague('Ada Lovelace')
  await colleague.goto('/plan-selection')
  await expect(colleague.getByText(`Ask an owner of ${team.organizationName} to choose a plan.`)).toBeVisible()
  await expect(plan(colleague, 'Growth')).toBeVisible()
  await expect(colleague.getByRole('button', { name: /Choose/ })).toHaveCount(0)
  await expectGoodLooks(colleague)
})

test('an ended plan is not called an ended trial, and an unpaid one is named on every screen', async ({
  page,
  buyers: team,
}) => {
  const set = (status: string) =>
    changeRows(
      `update organizations set subscription_status = $2, subscription_plan_id = (select id from plans where key = 'growth')
       where id = $1`,
      [team.organizationId, status],
    )
  await set('canceled')
  await page.goto('/trial-expired')
  await expect(page.getByRole('heading', { name: 'Your plan has ended' })).toBeVisible()
  await expectGoodLooks(page)
  await page.goto('/trial-expired/simple')
  await page.getByRole('link', { name: 'See the plans' }).click()
  await expect(page).toHaveURL(/\/plan-selection\/simple$/)
  await expect(page.getByText('Your plan has ended. Choose a plan to unlock your feedback.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('status').filter({ hasText: 'Your plan has ended.' })).toBeVisible()
  await set('past_due')
  await page.goto('/dashboard')
  const banner = page.getByRole('status').filter({ hasText: 'The last payment failed.' })
  await expect(banner).toBeVisible()
  await expectGoodLooks(page)
  await banner.getByRole('link', { name: 'Open billing' }).click()
  await expect(page).toHaveURL(new RegExp(billing))
})

test.describe('without an account', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('the pricing page compares plans by month and by year', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Pricing' }).first().click()
    await expect(page.getByRole('heading', { name: 'Pricing' })).toBeVisible()
    await expect(plan(page, 'Business')).toContainText('$129')
    await page.getByText('Yearly').click()
    await expect(plan(page, 'Business')).toContainText('$1,290')
    await expect(page.getByText('Pay for 10 months, get 12.')).toBeVisible()
    await expectGoodLooks(page)
    await plan(page, 'Starter').getByRole('link', { name: 'Start free trial' }).click()
    await expect(page).toHaveURL(/\/register/)
  })
})
