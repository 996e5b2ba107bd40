import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectGoodLooks } from '../looks.ts'
import { expect, test } from '../product.ts'
import { findLink, signOut, toastOf } from './people.ts'

const resetHeading = (page: Page) => page.getByRole('heading', { name: 'Choose a new password' })

async function askForReset(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
}

async function chooseNew(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(confirmation)
  await page.getByRole('button', { name: 'Set new password' }).click()
}

test.describe('a forgotten password', () => {
  test('is replaced with the emailed link, which works once', async ({ page, signUp, signIn, mails }) => {
    const person = await signUp(page)
    await signOut(page)
    const before = await mails.waitForMail(person.email)
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('link', { name: 'Forgot Password' }).click()
    // The typed email is kept.
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    await expectGoodLooks(page)

    const link = findLink(await mails.waitForMail(person.email, { after: before }))
    await page.goto(link)
    await expect(resetHeading(page)).toBeVisible()
    await expectGoodLooks(page)
    await chooseNew(page, 'another secret', 'another secrets')
    await expect(page.getByText('Passwords do not match.')).toBeVisible()
    await chooseNew(page, '12345')
    await expect(page.getByText('Password is too weak. Please use at least 6 characters.')).toBeVisible()
    await chooseNew(page, person.password)
    await expect(page.getByText('New password must be different from the old password.')).toBeVisible()
    await chooseNew(page, 'another secret')
    await expect(toastOf(page).getByText('Password changed', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)

    await signOut(page)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible()
    await page.goto(link)
    await expect(toastOf(page).getByText('Email Link Expired', { exact: true })).toBeVisible()
    await signIn(page, { email: person.email, password: 'another secret' })
  })

  test('is replaced with the emailed code in another browser, which ends the session in the first', async ({
    page,
    browser,
    signUp,
    mails,
  }) => {
    const person = await signUp(page)
    const before = await mails.waitForMail(person.email)
    const elsewhere = await (await browser.newContext()).newPage()
    await askForReset(elsewhere, person.email)
    const mail = await mails.waitForMail(person.email, { after: before })
    await elsewhere.getByLabel('6-digit code').fill('000000')
    await elsewhere.getByRole('button', { name: 'Verify code' }).click()
    await expect(elsewhere.getByText(/is wrong or has expired/)).toBeVisible()
    await elsewhere.getByLabel('6-digit code').fill(/^(\d{3})(\d{3})$/m.exec(mail.text)?.slice(1).join(' ') ?? '')
    await elsewhere.getByRole('button', { name: 'Verify code' }).click()
    await chooseNew(elsewhere, 'another secret')
    await expect(elsewhere).toHaveURL(/\/dashboard$/)

    await page.goto('/dashboard/feedback')
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await expect(page.getByText('Your session has expired. Please sign in again.').first()).toBeVisible()
  })

  test('gives addresses with and without an account the same answer, and refuses invalid ones', async ({ page }) => {
    await askForReset(page, 'no-account@example.com')
    await page.getByRole('link', { name: 'Use another address' }).click()
    for (const [typed, message] of [
      ['', 'Email address is required'],
      ['no-address', 'Please enter a valid email address'],
      ['a..b@example.com', 'Please enter a valid email address'],
      ['.a@example.com', 'Please enter a valid email address'],
      ['a@example', 'Please enter a valid email address'],
      [`${'a'.repeat(250)}@example.com`, 'Please enter a valid email address'],
    ] as const) {
      await page.getByLabel('Email').fill(typed)
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await expect(page.getByText(message, { exact: true })).toBeVisible()
    }
  })

  test('cannot be replaced without a link', async ({ page }) => {
    await page.goto('/reset-password')
    await expect(page.getByRole('heading', { name: 'Reset link required' })).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('link', { name: 'Request a reset link' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
  })
})

const linkButton = (page: Page) => page.getByRole('button', { name: /^Email me a sign-in link/ })

test.describe('a sign-in link', () => {
  test('signs in the person who requested it, and opens the requested page', async ({ page, signUp, mails }) => {
    const person = await signUp(page)
    const before = await mails.waitForMail(person.email)
    await signOut(page)
    await page.goto('/dashboard/projects')
    await expect(page).toHaveURL('/login?redirect=%2Fdashboard%2Fprojects')
    await page.getByLabel('Email').fill(` ${person.email.toUpperCase()} `)
    await linkButton(page).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    await expectGoodLooks(page)
    const mail = await mails.waitForMail(person.email, { after: before, subject: 'Your sign-in link' })
    await page.goto(findLink(mail))
    await expect(page).toHaveURL(/\/dashboard\/projects$/)
  })

  test('can be requested once a minute, and immediately after a failure', async ({ page, signUp }) => {
    const person = await signUp(page)
    await signOut(page)
    await page.clock.install()
    await page.getByLabel('Email').fill('no-address')
    await linkButton(page).click()
    await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible()

    await page.route('**/auth/v1/otp**', (route) => route.abort())
    await page.getByLabel('Email').fill(person.email)
    await linkButton(page).click()
    await expect(page.getByText('Network error. Please check your connection and try again.')).toBeVisible()
    await expect(linkButton(page)).toHaveText('Email me a sign-in link')

    await page.unroute('**/auth/v1/otp**')
    await linkButton(page).click()
    await expect(page.getByRole('button', { name: /^Resend email \(\d+ s\)$/ })).toBeDisabled()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(linkButton(page)).toHaveText(/\(\d+ s\)/)
    await linkButton(page).click()
    await expect(page.getByText(/^Please wait \d+ seconds before requesting another magic link$/)).toBeVisible()
    await page.clock.fastForward('01:01')
    await expect(linkButton(page)).toHaveText('Email me a sign-in link')
  })

  test('creates an account for a new address, whose code works as well', async ({ page, mails }) => {
    const email = `new-${Date.now()}@example.com`
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await linkButton(page).click()
    const mail = await mails.waitForMail(email)
    await page.getByLabel('6-digit code').fill(/^\d{6}$/m.exec(mail.text)?.[0] ?? '')
    await page.getByRole('button', { name: 'Verify code' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('asks for a button press where the email provider opens links itself', async ({ page, mails }) => {
    const email = `ada-${randomUUID().slice(0, 8)}@outlook.com`
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await linkButton(page).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    const link = findLink(await mails.waitForMail(email))
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Continue to Earshot' })).toBeVisible()
    await expectGoodLooks(page)
    await page.goto(link)
    // A busy browser gives focus after the page is loaded.
    await expect(page.getByRole('button')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})
