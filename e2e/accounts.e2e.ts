import { expect, test } from './product.ts'

test('a new user signs up, confirms the address, signs out and in again', async ({ page, context, signUp, signIn }) => {
  const person = await signUp(page)
  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/dashboard/feedback')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await signIn(page, person)
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard/)
})
