import type { Page, Route } from '@playwright/test'
import { expect, test } from '../product.ts'
import { errorCatalogue, fallbackMessage, hookFailure } from './error-catalogue.ts'

/*
 * The messages on the screen when signing in fails: every entry of the catalogue. The server's answers are faked here,
 * because most of them can't be provoked; the others occur in the journeys beside this file.
 */

type Answer = { status: number; code?: string; message?: string } | 'no connection'

const messages: readonly (readonly [name: string, answer: Answer, text: string])[] = [
  ...Object.entries(errorCatalogue).map(([code, text]) => refusal(code, text)),

  ['status 500', { status: 500, message: 'Something' }, 'A temporary issue occurred. Please try again in a moment.'],
  ['status 500 of the database', { status: 500, message: 'Database error' }, 'A temporary issue occurred'],
  ['text: invalid login', said('Invalid login'), 'Invalid email or password. Please try again.'],
  ['text: email not confirmed', said('Email not confirmed'), 'Please verify your email before signing in.'],
  ['text: already registered', said('User already registered'), 'An account with this email already exists.'],
  ['text: duplicate', said('duplicate key'), 'An account with this email already exists.'],
  ['text: relation', said('relation does not exist'), 'A temporary issue occurred. Please try again in a moment.'],
  ['text: network', said('network is down'), 'Network error. Please check your connection and try again.'],
  ['text: rate limit', said('rate limit'), 'Too many attempts. Please wait a few minutes and try again.'],
  ['text: missing code', said('missing code'), 'Authentication flow interrupted. Please try again.'],
  ['text: missing verifier', said('code verifier missing'), 'Authentication flow interrupted. Please try again.'],
  ['text: pkce', said('PKCE failed'), 'Authentication flow interrupted. Please try again.'],
  ['hook authorisation', { status: 500, message: 'Hook requires authorization token' }, hookFailure],
  ['no connection', 'no connection', 'Network error. Please check your connection and try again.'],
  ['anything else', { status: 418, message: 'Teapot' }, fallbackMessage],
]

function refusal(code: string, text: string): readonly [string, Answer, string] {
  return [code, { status: 422, code, message: 'Refused' }, text]
}

function said(message: string): Answer {
  return { status: 422, message }
}

test('every entry of the error catalogue is shown with its message', async ({ page }) => {
  let answer: Answer = 'no connection'
  await page.route('**/auth/v1/token**', (route) => giveAnswer(route, answer))
  await page.goto('/login')
  for (const [name, given, text] of messages) {
    await test.step(name, async () => {
      answer = given
      await signIn(page)
      const alert = page.getByRole('alert').filter({ hasText: text })
      await expect(alert).toBeVisible()
    })
  }
})

async function giveAnswer(route: Route, answer: Answer): Promise<void> {
  if (answer === 'no connection') return route.abort()
  const { status, code, message } = answer
  return route.fulfill({
    status,
    headers: { 'x-supabase-api-version': '2024-01-01' },
    json: { ...(code !== undefined && { code }), message },
  })
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('anything at all')
  // A new request clears the last message.
  const asked = page.waitForRequest('**/auth/v1/token**')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await asked
}

test('a toast shows the message of an emailed link, from the query and from the fragment', async ({ page }) => {
  const toast = page.getByRole('region', { name: 'Notification' })
  for (const mark of ['#', '?']) {
    await page.goto(`/login${mark}error=access_denied&error_code=access_denied&error_description=No`)
    await expect(toast.getByText('Authentication Error', { exact: true })).toBeVisible()
    await expect(toast).toContainText('Access denied. Please check your email for a valid confirmation link.')
    await expect(page).toHaveURL(/\/login$/)
  }
  await page.goto('/login?confirmed=true')
  await expect(toast.getByText('Email Confirmed', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto('/login?success=true&message=Well+done')
  await expect(toast.getByText('Success', { exact: true })).toBeVisible()
  await expect(toast).toContainText('Well done')
  await expect(page).toHaveURL(/\/login$/)
})

test('one toast at a time, at the top right', async ({ page }) => {
  await page.goto('/login?confirmed=true#error=access_denied&error_code=otp_expired')
  const toasts = page.locator('[data-state=open][role=status], [data-state=open][role=alert], li[data-state=open]')
  await expect(toasts).toHaveCount(1)
  const box = await toasts.boundingBox()
  const width = page.viewportSize()?.width ?? 0
  expect(box && box.x + box.width).toBeGreaterThan(width - 40)
  expect(box?.y).toBeLessThan(120)
})

for (const { path, title, seconds } of [
  { path: '/login?success=true', title: 'Success', seconds: 5 },
  { path: '/login#error=access_denied&error_code=access_denied', title: 'Authentication Error', seconds: 7 },
  { path: '/login#error=access_denied&error_code=otp_expired', title: 'Email Link Expired', seconds: 10 },
]) {
  test(`the toast "${title}" closes after ${seconds} seconds`, async ({ page }) => {
    await page.clock.install()
    await page.goto(path)
    const toast = page.locator('li[data-state=open]').getByText(title, { exact: true })
    await expect(toast).toBeVisible()
    await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 100)))
    await page.clock.runFor(seconds * 1000 - 2000)
    await expect(toast).toBeVisible()
    await page.clock.runFor(2000)
    await expect(toast).toBeHidden()
  })
}

test('the toasts of resending the verification email', async ({ page }) => {
  const toast = page.getByRole('region', { name: 'Notification' })
  let isRefused = false
  await page.route('**/auth/v1/resend**', (route) =>
    giveAnswer(route, isRefused ? { status: 429, code: 'over_email_send_rate_limit' } : { status: 200 }),
  )
  const openExpiredLink = async () => {
    await page.goto('/login#error=access_denied&error_code=otp_expired')
    await expect(toast.getByText('Email Link Expired', { exact: true })).toBeVisible()
    await expect(toast).toContainText('Your email confirmation link has expired. Please request a new one.')
    await toast.getByRole('button', { name: 'Resend Email' }).click()
  }

  await openExpiredLink()
  // No one has signed up in this browser.
  await expect(page).toHaveURL(/\/register$/)

  await page.evaluate(() => sessionStorage.setItem('earshot-last-sign-up-email', 'ada@example.com'))
  isRefused = true
  await openExpiredLink()
  await expect(toast.getByText('Error', { exact: true })).toBeVisible()
  await expect(toast).toContainText('Failed to resend confirmation email. Please try signing up again.')
  isRefused = false
  await openExpiredLink()
  await expect(toast.getByText('Email Sent', { exact: true })).toBeVisible()

  await page.evaluate(() => {
    sessionStorage.clear()
    localStorage.setItem('earshot-pending-email-verification', 'ada@example.com')
  })
  await page.goto('/register?verify=')
  const resend = page.getByRole('button', { name: 'Resend Verification Email' })
  isRefused = true
  await resend.click()
  await expect(toast.getByText('Failed to Resend Email', { exact: true })).toBeVisible()
  await expect(toast).toContainText('Too many attempts. Please try again later.')
  isRefused = false
  await resend.click()
  await expect(toast.getByText('Verification Email Sent', { exact: true })).toBeVisible()
  await expect(toast).toContainText('Please check your inbox and spam folder for the verification link.')
  await expect(resend).toBeDisabled()
})

test('a person without an organisation gets an error', async ({ page, signUpByForm }) => {
  await page.route('**/rest/v1/rpc/get_user_*', (route) => route.fulfill({ json: [] }))
  await signUpByForm(page)
  await expect(page.getByText('No organization found. Please contact support.')).toBeVisible()
})
