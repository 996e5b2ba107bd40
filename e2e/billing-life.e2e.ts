import { type Page, test } from '@playwright/test'
import Stripe from 'stripe'
import { type StripeDouble, startStripeDouble } from '#doubles/stripe/stripe.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { findFreePorts, type Product, startProduct } from './start-product.ts'
import { enterCard, payCheckout, testCards } from './stripe-pages.ts'
import { createTeam } from './team.ts'

/*
 * A subscription's whole life as its owner sees it: on the screens, on Stripe's pages and in the mailbox. The product is one of
 * its own, because Stripe's time is moved on by months.
 */
const names = ['EARSHOT_URL', 'EARSHOT_MAIL_URL', 'EARSHOT_DATA_DIR'] as const
const before = names.map((name) => [name, process.env[name]] as const)
const daySeconds = 86_400

let double: StripeDouble
let stripe: Stripe
let product: Product

test.beforeAll(async () => {
  test.setTimeout(240_000)
  const [port = 0] = await findFreePorts(1)
  double = await startStripeDouble({ webhookUrl: `http://127.0.0.1:${port}/api/v1/hooks/stripe` })
  const { host, protocol, secretKey } = double
  stripe = new Stripe(secretKey, { host, port: double.port, protocol, telemetry: false })
  product = await startProduct({
    PORT: String(port),
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
    STRIPE_WEBHOOK_SECRET: double.webhookSecret,
    STRIPE_API_URL: double.url,
  })
  Object.assign(process.env, {
    EARSHOT_URL: product.url,
    EARSHOT_MAIL_URL: product.mailUrl,
    EARSHOT_DATA_DIR: product.dataDir,
  })
})
test.afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await product?.stop()
  await double?.stop()
})

test('trial, warning, locked, paid, larger, unpaid, confirmed, cancelled, kept, refunded', async ({ browser }) => {
  test.setTimeout(240_000)
  const team = await createTeam(browser)
  const { email } = team.person
  const page = await (await browser.newContext({ baseURL: product.url, storageState: team.storageState })).newPage()
  const expectMail = (subject: string | RegExp) => product.mails.waitForMail(email, { subject })
  const runJob = (name: string) => changeRows('select graphile_worker.add_job($1)', [name])
  const endTrialIn = (interval: string) =>
    changeRows('update organizations set trial_ends_at = now() + $2::interval where id = $1', [
      team.organizationId,
      interval,
    ])
  const project = await team.makeProject('Northwind')

  // The trial, and its warning.
  await endTrialIn('2 days')
  await runJob('watch_plans')
  await expectMail(/your trial ends within 3 days/)
  await page.goto('/dashboard')
  await expect(page.getByRole('status').filter({ hasText: 'Your trial ends within 3 days.' })).toBeVisible()

  // Its end: feedback is stored, and locked.
  await endTrialIn('-1 minute')
  await runJob('watch_plans')
  await expectMail(/your trial has ended/)
  await project.send('The drawer jams.')
  await page.goto(project.inbox)
  await expect(page.getByText('Locked').first()).toBeVisible()
  await expect(page.getByText('The drawer jams.')).toHaveCount(0)

  // A plan: the item is unlocked without a reload of its list.
  const inbox = await page.context().newPage()
  await inbox.goto(project.inbox)
  await page.goto('/plan-selection')
  await page.getByRole('button', { name: 'Choose Growth' }).click()
  await payCheckout(page)
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Growth, $49 a month')
  await expect(inbox.getByText('The drawer jams.').first()).toBeVisible()
  await inbox.close()
  const started = await expectMail(/your plan Growth is active/)
  expect(started.links).toContain(`${product.url}/dashboard/settings/billing`)

  // A larger plan.
  await page.getByRole('link', { name: 'Change plan' }).click()
  await page.getByRole('button', { name: 'Change to Business' }).click()
  await page.getByRole('button', { name: /^Pay \$\d+(\.\d\d)? and change$/ }).click()
  await expect(page.getByRole('listitem', { name: 'Business' })).toContainText('Your plan')
  await expectMail(/your plan is now Business/)

  // A renewal that the bank declines.
  const { customer, subscription } = await findCustomer(email)
  await useCard(customer, subscription, 'pm_card_chargeCustomerFail')
  double.advance(32 * daySeconds)
  const failed = await expectMail(/payment failed/)
  expect(failed.text).toContain('Your card was declined.')
  await openBilling(page)
  const owed = page.getByRole('region', { name: 'The last payment failed' })
  await expect(owed).toContainText('$129 could not be collected. Your card was declined. We try again on')
  // The banner: the plan's section says it too.
  await expect(page.getByRole('status').filter({ hasText: 'The last payment failed. Pay' })).toBeVisible()

  await expectNotice(page, 'The last payment failed. Check your payment method.')

  // The next attempt asks for 3-D Secure: the owner confirms it on Stripe’s page.
  await useCard(customer, subscription, 'pm_card_authenticationRequired')
  double.advance(4 * daySeconds)
  const asked = await expectMail(/confirm your payment/)
  await openBilling(page)
  await expectNotice(page, 'Your bank asks you to confirm a payment.')
  const link = page.getByRole('region', { name: 'Confirm your payment' }).getByRole('link', { name: 'Confirm payment' })
  await expect(link).toHaveAttribute('href', asked.links.find((each) => each.startsWith(double.url)) ?? '')
  // Stripe’s page has no way back to ours, which stays open.
  const [invoice] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await enterCard(invoice, testCards.asksAlways)
  await invoice.getByRole('button', { name: 'Complete' }).click()
  await expectMail(/payment received, your plan continues/)
  await openBilling(page)
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Business, $129 a month')
  await expect(owed).toHaveCount(0)

  // Cancelled, and kept.
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByLabel('I don’t use it enough').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Your plan ends on')
  await expectMail(/your plan ends on/)
  expect((await stripe.subscriptions.retrieve(subscription)).cancellation_details?.feedback).toBe('unused')
  await page.getByRole('button', { name: 'Keep plan' }).click()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Renews on')
  await expectMail(/your plan Business continues/)

  // Refunded.
  const { data } = await stripe.charges.list({ customer })
  await stripe.refunds.create({ charge: data.find(({ paid }) => paid)?.id ?? '' })
  const refunded = await expectMail(/payment refunded/)
  expect(refunded.text).toContain('$129.00')
  await openBilling(page)
  await expect(page.getByRole('region', { name: 'Invoices' }).getByRole('listitem').first()).toContainText('Refunded')
})

/** The screen as someone finds it who comes back. */
async function openBilling(page: Page): Promise<void> {
  await page.goto(`${product.url}/dashboard/settings/billing`)
  await expect(page.getByRole('region', { name: 'Invoices' })).toBeVisible()
}

async function findCustomer(email: string): Promise<{ customer: string; subscription: string }> {
  const [customer] = (await stripe.customers.list({ email })).data
  const [subscription] = (await stripe.subscriptions.list({ customer: customer?.id ?? '' })).data
  return { customer: customer?.id ?? '', subscription: subscription?.id ?? '' }
}

/** As the customer does in Stripe’s portal. */
async function useCard(customer: string, subscription: string, card: string): Promise<void> {
  const { id } = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  await stripe.subscriptions.update(subscription, { default_payment_method: id })
}

/** What the bell says. */
async function expectNotice(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('link', { name: words })).toHaveAttribute('href', '/dashboard/settings/billing')
  await page.keyboard.press('Escape')
}
