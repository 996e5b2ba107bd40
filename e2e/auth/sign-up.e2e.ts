import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectGoodLooks } from '../looks.ts'
import { expect, test } from '../product.ts'
import { findLink, signOut, toastOf } from './people.ts'

const password = 'correct horse 1'
const createEmail = () => `person-${randomUUID().slice(0, 8)}@example.com`

/** Fills in the form; the page shows how to verify the address afterwards. */
async function register(page: Page, email: string): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Ada Lovelace')
  await page.getByLabel('Organisation').fill('Analytical Engines')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test.describe('signing up', () => {
  test('leads to the dashboard by the link in the email', async ({ page, context, mails }) => {
    const email = createEmail()
    await register(page, email)
    await expect(page.getByText(email)).toBeVisible()
    await expect(page.getByRole('listitem')).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Resend Verification Email' })).toBeDisabled()
    await expectGoodLooks(page)

    // The mail catcher's own page shows the email as a mail program does.
    const { id } = await mails.waitForMail(email)
    const inbox = await context.newPage()
    await inbox.goto(`${process.env.EARSHOT_MAIL_URL}/email/${id}/html`)
    await inbox.getByRole('link', { name: 'Confirm email address' }).click()
    await expect(inbox.getByRole('heading', { name: 'Hello, Ada' })).toBeVisible()
    await expect(inbox.getByText('Analytical Engines').first()).toBeVisible()
    await expectGoodLooks(inbox)
    // The tab with the instructions follows.
    await expect(page).toHaveURL(/\/dashboard$/)

    await signOut(page)
    await fillIn(page, email)
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.reload()
    await expect(page).toHaveURL(/\/dashboard$/)
    // One that names this browser when a stranger guesses passwords; the session is in no cookie.
    expect(await context.cookies()).toMatchObject([{ name: 'earshot-device', httpOnly: true, sameSite: 'Lax' }])
  })

  test('explains a link that was requested in another browser, after which the password works', async ({
    page,
    browser,
    baseURL,
    mails,
  }) => {
    const email = createEmail()
    await register(page, email)
    const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await elsewhere.goto(findLink(await mails.waitForMail(email)))
    await expect(elsewhere.getByText('Authentication flow interrupted. Please try again.')).toBeVisible()
    await expectGoodLooks(elsewhere)
    await elsewhere.getByRole('link', { name: 'Sign in' }).click()
    await fillIn(elsewhere, email)
    await expect(elsewhere).toHaveURL(/\/dashboard$/)
  })

  test('waits for the verification, resends the email after a minute, and offers to sign out', async ({
    page,
    mails,
  }) => {
    const email = createEmail()
    await page.clock.install()
    await register(page, email)
    const first = await mails.waitForMail(email)
    await page.getByRole('button', { name: "I've Verified My Email" }).click()
    await expect(page.getByRole('alert')).toContainText('Your email isn’t verified yet.')
    await expectGoodLooks(page)
    // After a reload, the page no longer has the password to ask with.
    await page.reload()
    await page.getByRole('button', { name: "I've Verified My Email" }).click()
    await expect(page.getByRole('alert')).toContainText('Not verified in this browser.')
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click()
    await fillIn(page, email)
    await expect(page.getByText('Please verify your email before signing in.')).toBeVisible()
    await expectGoodLooks(page)

    await page.goto('/register?verify=')
    const resend = page.getByRole('button', { name: 'Resend Verification Email' })
    await page.clock.fastForward('01:01')
    await expect(resend).toBeEnabled()
    // The server's own pause is as long, and its clock was not moved.
    await page.route('**/auth/v1/resend**', (route) => route.fulfill({ json: {} }))
    await resend.click()
    await expect(toastOf(page).getByText('Verification Email Sent', { exact: true })).toBeVisible()
    await expect(resend).toBeDisabled()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/\/login$/)
    expect(first.subject).toBe('Confirm your email address for Earshot')
  })

  test('continues with the code from the email', async ({ page, mails }) => {
    const email = createEmail()
    await register(page, email)
    const code = page.getByLabel('6-digit code')
    await code.fill('000000')
    await page.getByRole('button', { name: 'Verify code' }).click()
    await expect(page.getByText('This code is wrong or has expired.')).toBeVisible()
    const { text } = await mails.waitForMail(email)
    await code.fill(/^\d{6}$/m.exec(text)?.[0] ?? '')
    await page.getByRole('button', { name: 'Verify code' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('continues where it began after the link was opened on another device', async ({
    page,
    browser,
    baseURL,
    mails,
  }) => {
    const email = createEmail()
    await register(page, email)
    const phone = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await phone.goto(findLink(await mails.waitForMail(email)))
    await expect(phone.getByText('Authentication flow interrupted. Please try again.')).toBeVisible()
    await page.getByRole('button', { name: "I've Verified My Email" }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('focuses the first field when everything is empty', async ({ page }) => {
    await page.goto('/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Please enter your name')).toBeVisible()
    await expect(page.getByLabel('Full name')).toBeFocused()
  })

  test('shows an error when the address has an account', async ({ page, signUp }) => {
    const person = await signUp(page)
    await signOut(page)
    await page.goto('/register')
    await page.getByLabel('Full name').fill('Ada Lovelace')
    await page.getByLabel('Organisation').fill('Analytical Engines')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText(
      'An account with this email already exists. Try signing in instead, or use "Forgot Password" if needed.',
    )
    await expectGoodLooks(page)
    await alert.getByRole('link', { name: 'Forgot Password' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
  })
})

test.describe('the guard', () => {
  test('sends signed-out visitors to the login page and back', async ({ page, signUp }) => {
    const person = await signUp(page)
    await signOut(page)
    await page.goto('/dashboard/feedback?status=new')
    await expect(page).toHaveURL('/login?redirect=%2Fdashboard%2Ffeedback%3Fstatus%3Dnew')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    // By keyboard, as most do.
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard/feedback?status=new')
    await page.goto('/login?redirect=//evil.example')
    await expect(page).toHaveURL('/dashboard')
  })

  test('answers unknown addresses with 404', async ({ page }) => {
    const response = await page.goto('/dashboard/nothing-here')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByText("The page you're looking for doesn't exist or has been moved.")).toBeVisible()
    await expectGoodLooks(page)
  })

  test('keeps the sidebar where a member opens an unknown address', async ({ page, signUp }) => {
    await signUp(page)
    const response = await page.goto('/dashboard/nothing-here')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('main').getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click()
    await expect(page).toHaveURL('/dashboard/projects')
  })
})

test('the login page works with the keyboard alone', async ({ page }) => {
  await page.goto('/login')
  const google = page.getByRole('button', { name: 'Continue with Google' })
  // It can take the focus after hydration.
  await expect(google).toBeEnabled()
  await google.focus()
  const order = ['Email', 'Password', 'Show password', 'Remember me', 'Forgot Password', 'Sign in']
  for (const name of order) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    const label = await focused.evaluate((element) => (element as HTMLInputElement).labels?.[0]?.textContent)
    expect(label ?? (await focused.textContent())).toBe(name)
  }
  await page.keyboard.press('Enter')
  // The first missing field has the focus.
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByText('Email address is required')).toBeVisible()
})
