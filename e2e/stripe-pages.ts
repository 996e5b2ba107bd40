import { expect, type FrameLocator, type Page } from '@playwright/test'

/** Test cards of Stripe (https://docs.stripe.com/testing). */
export const testCards = {
  pays: '4242 4242 4242 4242',
  isDeclined: '4000 0000 0000 0002',
  /** Asks for 3-D Secure at the first payment. */
  asksFirst: '4000 0025 0000 3155',
  asksAlways: '4000 0027 6000 3184',
}

/** Enters a card into Stripe’s page, whole or in a frame, and sends it. */
export async function enterCard(
  page: Page | FrameLocator,
  number: string,
  button: RegExp = /subscribe|pay/i,
): Promise<void> {
  await page.getByLabel(/card number/i).fill(number)
  await page.getByLabel(/expiry|expiration/i).fill('12 / 34')
  await page.getByLabel(/cvc|security code/i).fill('123')
  await page.getByRole('button', { name: button }).click()
}

/** Pays on Stripe’s page of a checkout, and waits for the way back. */
export async function payCheckout(page: Page, number: string = testCards.pays): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Subscribe' })).toBeVisible()
  await enterCard(page, number)
}
