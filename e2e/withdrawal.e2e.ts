import { test } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { type Product, startProduct } from './start-product.ts'
import { enterCard, testCards } from './stripe-pages.ts'
import { createTeam } from './team.ts'

/* Consumers' withdrawal from the contract and payment within the app, which few instances offer: on a product of its own. */
const names = ['EARSHOT_URL', 'EARSHOT_MAIL_URL', 'EARSHOT_DATA_DIR'] as const
const before = names.map((name) => [name, process.env[name]] as const)
let product: Product

test.beforeAll(async () => {
  test.setTimeout(240_000)
  product = await startProduct({ BILLING_WITHDRAWAL_DAYS: '14', STRIPE_CHECKOUT: 'embedded' })
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
})

test('a consumer pays within the app, withdraws in two steps, gets the money back and a receipt', async ({
  browser,
}) => {
  const { person, storageState } = await createTeam(browser)
  const page = await (await browser.newContext({ baseURL: product.url, storageState })).newPage()
  await page.goto('/plan-selection')
  const choose = page.getByRole('button', { name: 'Choose Starter' })
  // A script that doesn't come is told, and asked for again.
  await page.route('**/dahlia/stripe.js', (route) => route.abort())
  await choose.click()
  const paying = page.getByRole('dialog', { name: 'Pay for Starter' })
  await expect(paying).toContainText('Couldn’t open the checkout')
  await expectGoodLooks(page)
  await page.unroute('**/dahlia/stripe.js')
  await paying.getByRole('button', { name: 'Try again' }).click()
  const form = paying.locator('iframe').contentFrame()
  await expect(form.getByRole('heading', { name: 'Subscribe' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(choose).toBeFocused()
  await choose.press('Enter')
  await enterCard(form, testCards.pays)
  await page.getByRole('button', { name: 'Withdraw from contract' }).click()
  const statement = page.getByRole('dialog', { name: 'Withdraw from contract' })
  await expect(statement).toContainText('without giving a reason')
  await expect(statement.getByLabel('Your name')).toHaveValue(person.fullName)
  await expect(statement.getByLabel('Email')).toHaveValue(person.email)
  await statement.getByLabel('Email').fill('grace')
  await statement.getByRole('button', { name: 'Continue' }).click()
  await expect(statement.getByText('Enter an email address.')).toBeVisible()
  await expectGoodLooks(page)
  await statement.getByLabel('Email').fill('grace@example.org')
  await statement.getByRole('button', { name: 'Continue' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm withdrawal' })
  await expect(confirmation).toContainText(`I, ${person.fullName}, withdraw from the contract for the plan Starter.`)
  await expectGoodLooks(page)
  await confirmation.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Your plan has ended.')
  await expect(page.getByRole('region', { name: 'Invoices' }).getByRole('listitem')).toContainText('Refunded')
  await expect(page.getByRole('button', { name: 'Withdraw from contract' })).toHaveCount(0)
  await product.mails.waitForMail('grace@example.org', { subject: /withdr/i })
})
