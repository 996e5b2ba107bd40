import type { Page } from '@playwright/test'
import type { StorageState } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { enterCard, payCheckout } from './stripe-pages.ts'
import { tabTo } from './tab-to.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/* What billing's screens say when something is missing, fails or is unusual. Their usual course is in checkout.e2e.ts. */

/** A team of its own for each test: its plan is changed. */
const test = teamTest.extend<{ buyers: Team; storageState: StorageState }>({
  buyers: async ({ browser }, use) => use(await createTeam(browser)),
  storageState: async ({ buyers }, use) => use(buyers.storageState),
})

const billing = '/dashboard/settings/billing'
const billingCall = /\/organizations\/[^/]+\/billing$/
const plan = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

async function subscribe(page: Page, name: string): Promise<void> {
  await page.goto('/plan-selection')
  await page.getByRole('button', { name: `Choose ${name}` }).click()
  await payCheckout(page)
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Renews on')
}

/** Shows an invoice as owed that is none. */
async function pretendOwed(page: Page, owed: object): Promise<void> {
  await page.route(billingCall, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), owed } })
  })
}

test('a promotion code of the address is shown and can be removed', async ({ page }) => {
  await page.goto('/plan-selection?code=NO-SUCH-CODE')
  await expect(page.getByText('Promotion code NO-SUCH-CODE is applied when you pay.')).toBeVisible()
  await plan(page, 'Growth').getByRole('button', { name: 'Choose Growth' }).click()
  await expect(plan(page, 'Growth').getByRole('alert')).toContainText('This promotion code is unknown')
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Remove code' }).click()
  await expect(page).toHaveURL(/\/plan-selection$/)
  await plan(page, 'Growth').getByRole('button', { name: 'Choose Growth' }).click()
  await payCheckout(page)
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Growth, $49 a month')
  await page.goto('/plan-selection?code=SPRING')
  await page.getByRole('link', { name: 'Apply to your plan' }).click()
  await expect(page.getByLabel('Promotion code')).toHaveValue('SPRING')
})

test('the keyboard alone chooses, pays for and cancels a plan', async ({ page }) => {
  await page.goto('/plan-selection')
  await tabTo(page, page.getByRole('button', { name: 'Choose Growth' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel(/card number/i))
  await page.keyboard.type('4242424242424242')
  await tabTo(page, page.getByLabel(/expiry|expiration/i))
  await page.keyboard.type('12 / 34')
  await tabTo(page, page.getByLabel(/cvc|security code/i))
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  const section = page.getByRole('region', { name: 'Plan' })
  await expect(section).toContainText('Renews on')
  const cancel = section.getByRole('button', { name: 'Cancel plan' })
  await tabTo(page, cancel)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel Growth?' })
  // It takes keys once it has the focus.
  await expect.poll(() => dialog.evaluate((window) => window.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cancel).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel('It is too expensive'))
  await page.keyboard.press('Space')
  await tabTo(page, dialog.getByRole('button', { name: 'Cancel plan' }))
  await page.keyboard.press('Enter')
  await expect(section).toContainText('Your plan ends on')
  await tabTo(page, section.getByRole('button', { name: 'Keep plan' }))
  await page.keyboard.press('Enter')
  await expect(section).toContainText('Renews on')
})

test('an upgrade that the card can’t pay changes nothing and leads to the payment method', async ({ page }) => {
  await subscribe(page, 'Starter')
  await page.getByRole('button', { name: 'Change payment method, address or tax id' }).click()
  await enterCard(page, '4000 0000 0000 0341', /save card/i)
  await page.goto('/plan-selection')
  await page.getByRole('button', { name: 'Change to Growth' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to Growth?' })
  await dialog.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'The payment failed, and nothing was changed. Your card was declined.',
  )
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Change payment method' }).click()
  await expect(page.getByRole('button', { name: 'Save card' })).toBeVisible()
  await page.goto('/plan-selection')
  await expect(plan(page, 'Starter')).toContainText('Your plan')
  await page.getByText('Yearly').click()
  await expect(plan(page, 'Starter').getByRole('button', { name: 'Change to yearly payment' })).toBeVisible()
})

test('while Stripe doesn’t answer, the plan and the invoices are shown all the same', async ({ page }) => {
  await subscribe(page, 'Starter')
  await page.route(/\/billing\/upcoming$/, (route) =>
    route.fulfill({
      status: 503,
      json: {
        code: 'payments_unavailable',
        title: 'The payment provider doesn’t answer.',
        status: 503,
        requestId: 'r',
      },
    }),
  )
  await page.goto(billing)
  const payment = page.getByRole('region', { name: 'Payment' })
  await expect(payment.getByRole('alert')).toContainText('Couldn’t load from Stripe')
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Starter, $19 a month')
  await expect(page.getByRole('region', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(1)
  await expectGoodLooks(page)
  await page.unroute(/\/billing\/upcoming$/)
  await payment.getByRole('button', { name: 'Try again' }).click()
  await expect(payment).toContainText('Visa ending in 4242')
})

test('a payment that is not confirmed yet says so, and the plan appears once it is', async ({ page }) => {
  await page.goto(`${billing}?checkout=done`)
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for your payment to be confirmed' })).toBeVisible()
  await expect(page.getByText('Every feature is available until')).toHaveCount(0)
  const note = page.getByRole('region', { name: 'Payment not confirmed yet' })
  await expect(note).toContainText('You don’t need to pay again.', { timeout: 40_000 })
  await expectGoodLooks(page)
  const elsewhere = await page.context().newPage()
  await subscribe(elsewhere, 'Starter')
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Starter, $19 a month')
  await expect(note).toBeHidden()
})

test('an invoice that is owed stands at the top, with its reason and where to pay it', async ({ page, buyers }) => {
  await changeRows(`update organizations set subscription_status = 'past_due' where id = $1`, [buyers.organizationId])
  const owed = {
    invoiceId: 'in_1',
    cents: 4900,
    currency: 'usd',
    nextAttemptAt: '2031-05-01T00:00:00.000Z',
    pageUrl: 'https://invoice.example/in_1',
  }
  await pretendOwed(page, { ...owed, state: 'failed', error: 'Your card has expired.' })
  await page.goto(billing)
  const failed = page.getByRole('region', { name: 'The last payment failed' })
  await expect(failed).toContainText('$49 could not be collected. Your card has expired. We try again on 1 May 2031.')
  await expect(failed.getByRole('link', { name: 'Pay now' })).toHaveAttribute('href', owed.pageUrl)
  await expectGoodLooks(page)
  await page.unroute(billingCall)
  await pretendOwed(page, { ...owed, state: 'action_required', error: null })
  await page.reload()
  const asked = page.getByRole('region', { name: 'Confirm your payment' })
  await expect(asked.getByRole('link', { name: 'Confirm payment' })).toHaveAttribute('href', owed.pageUrl)
  await page.goto('/dashboard')
  await expect(
    page.getByRole('status').filter({ hasText: 'Your bank asks you to confirm a payment. Confirm payment' }),
  ).toBeVisible()
})

test('the banner is whole on a phone, and gone for everyone as soon as an owner pays', async ({ page, buyers }) => {
  const colleague = await buyers.openColleague('Ada Lovelace')
  await changeRows(`update organizations set trial_ends_at = now() - interval '1 hour' where id = $1`, [
    buyers.organizationId,
  ])
  await colleague.setViewportSize({ width: 320, height: 700 })
  await colleague.goto('/dashboard')
  const banner = colleague.getByRole('status').filter({ hasText: 'Your trial has ended. New feedback is locked.' })
  await expect(banner).toContainText('Ask an owner to choose a plan.')
  expect(await banner.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(0)
  expect(await banner.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  await expectGoodLooks(colleague)
  await subscribe(page, 'Starter')
  await expect(banner).toBeHidden()
})

test('a self-hosted instance has nothing to pay', async ({ page, buyers }) => {
  await changeRows(`update organizations set subscription_status = 'self_hosted' where id = $1`, [
    buyers.organizationId,
  ])
  await page.route(/\/api\/v1\/plans$/, (route) => route.fulfill({ json: { items: [] } }))
  await page.goto(billing)
  const section = page.getByRole('region', { name: 'Plan' })
  await expect(section).toContainText('No trial, no limits, every feature.')
  await expect(section.getByRole('link')).toHaveCount(0)
  await expect(section.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Invoices' })).toHaveCount(0)
  await expectGoodLooks(page)
})
