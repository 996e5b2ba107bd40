import type { Page } from '@playwright/test'
import { expectGoodLooks } from '../looks.ts'
import { expect, test } from '../product.ts'
import { signOut, toastOf } from './people.ts'

async function continueWithGoogle(page: Page, account: RegExp | 'cancel'): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const choice =
    account === 'cancel' ? page.getByRole('link', { name: 'Cancel' }) : page.getByRole('button', { name: account })
  await choice.click()
}

test.describe('signing in with Google', () => {
  test('creates an account, signs in to it again, and opens the requested page', async ({ page }) => {
    await page.goto('/register')
    await continueWithGoogle(page, /ada@example\.com/)
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { name: 'Hello, Ada' })).toBeVisible()
    await signOut(page)

    await page.goto('/dashboard/feedback?status=new')
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await expectGoodLooks(page)
    await continueWithGoogle(page, /ada@example\.com/)
    await expect(page).toHaveURL(/\/dashboard\/feedback\?status=new$/)
    await page.goto('/dashboard/settings')
    await expect(page.getByRole('region', { name: 'Sign-in methods' })).toContainText('Google')
    await expect(page.getByRole('button', { name: 'Set a password' })).toBeVisible()
  })

  test('can be cancelled at Google', async ({ page }) => {
    await page.goto('/login')
    await continueWithGoogle(page, 'cancel')
    await expect(
      toastOf(page).getByText('Authentication was cancelled. Please try signing in again.', { exact: true }),
    ).toBeVisible()
    await expectGoodLooks(page)
  })

  test('does not accept an address that Google has not verified', async ({ page }) => {
    await page.goto('/login')
    await continueWithGoogle(page, /unverified@example\.com/)
    await expect(
      toastOf(page).getByText('Please verify your email with the provider first.', { exact: true }),
    ).toBeVisible()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login$/)
  })

  test('is added to the account that has the address, whose password keeps working', async ({
    page,
    signUp,
    signIn,
  }) => {
    const person = await signUp(page, { email: 'grace@example.com', fullName: 'Grace Hopper' })
    await signOut(page)
    await continueWithGoogle(page, /grace@example\.com/)
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText(person.organizationName).first()).toBeVisible()
    await page.goto('/dashboard/settings')
    const ways = page.getByRole('region', { name: 'Sign-in methods' })
    await expect(ways).toContainText('Google')
    await expect(ways).toContainText('Email')
    await signOut(page)
    await signIn(page, person)
  })

  test('shows an error when Google cannot be reached', async ({ page }) => {
    await page.goto('/login')
    await page.route('**/auth/v1/authorize**', (route) =>
      route.fulfill({
        status: 303,
        headers: { location: '/auth/callback?error=server_error&error_code=unexpected_failure' },
      }),
    )
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(
      toastOf(page).getByText('Failed to sign in with provider. Please try again.', { exact: true }),
    ).toBeVisible()
  })
})
