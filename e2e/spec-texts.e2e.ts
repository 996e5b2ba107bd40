import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createAccount, signedOutState, startSession, storeSession } from './accounts.ts'
import { expect } from './product.ts'
import { createTeam, test } from './team.ts'

/*
 * Every text that the product's specification quotes, and where it is seen. Each place below is opened in the browser, and
 * all of its texts have to be visible there.
 *
 * The messages of the error catalogue are in auth/error-catalogue.ts; auth/messages.e2e.ts sees each of them on the login
 * screen. Texts that only a server without settings shows are looked up in the built web app at the end of this file.
 */

const leaveOrReload = ['Go to Dashboard', 'Reload Page']
const notFound = ['Page not found', "The page you're looking for doesn't exist or has been moved.", ...leaveOrReload]
const genericError = [
  'Something went wrong',
  'We encountered an unexpected error. Please try again.',
  '503',
  ...leaveOrReload,
]

/** Each text is visible, and the whole text of an element. */
async function expectTexts(page: Page, texts: readonly (string | RegExp)[]): Promise<void> {
  for (const text of texts) {
    await expect(page.getByText(text, { exact: true }).filter({ visible: true }).first()).toBeVisible()
  }
}

/** Without a page load, as a link does. */
async function goWithinApp(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

test('section 2: 404, generic error and crash screens', async ({ page, complaints }) => {
  for (const path of ['/nothing-here', '/dashboard/nothing-here']) {
    await page.goto(path)
    await expectTexts(page, notFound)
  }
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.route('**/elsewhere', (route) => route.fulfill({ status: 503, body: 'Down' }))
  await goWithinApp(page, '/elsewhere')
  await expectTexts(page, genericError)
  await page.unroute('**/elsewhere')

  // An answer that no contract allows.
  const projects = '**/api/v1/organizations/*/projects'
  await page.route(projects, (route) => route.fulfill({ json: { items: [null] } }))
  await page.goto('/dashboard/projects')
  await expectTexts(page, ['Oops! Something went wrong', 'Try Again', 'Reload Page', 'Go to Dashboard'])
  await page.unroute(projects)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible()
  // The crash that this test asked for.
  expect(complaints.splice(0).join()).toContain('TypeError')
})

test('section 2: the Verify Your Email screen, and the toasts of resending', async ({ browser }) => {
  const page = await (await browser.newContext({ storageState: signedOutState })).newPage()
  const email = `ada-${crypto.randomUUID()}@example.com`
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Ada Lovelace')
  await page.getByLabel('Organisation').fill('Engines')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a good password')
  await page.locator('form button[type=submit]').click()
  await expectTexts(page, [
    'Verify Your Email',
    email,
    "I've Verified My Email",
    'Resend Verification Email',
    'Sign Out',
  ])
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3)
  let status = 429
  await page.route('**/auth/v1/resend**', (route) => route.fulfill({ status, json: {} }))
  // The minute after the email of the sign-up is over.
  await page.evaluate(() => sessionStorage.removeItem('earshot-verification-sent-at'))
  await page.reload()
  await page.getByRole('button', { name: 'Resend Verification Email' }).click()
  await expectTexts(page, ['Failed to Resend Email'])
  status = 200
  await page.getByRole('button', { name: 'Resend Verification Email' }).click()
  await expectTexts(page, [
    'Verification Email Sent',
    'Please check your inbox and spam folder for the verification link.',
  ])
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/login')
  await page.context().close()
})

test('section 2: Access Denied, /health, /test-feedback and /dashboard/debug-auth', async ({ browser, page }) => {
  const team = await createTeam(browser)
  const colleague = await team.openColleague('Charles Babbage')
  await colleague.goto('/dashboard/projects/new')
  await expectTexts(colleague, ['Access Denied', "You don't have permission to access this page."])
  for (const [path, heading] of [
    ['/test-feedback', 'Test the widget'],
    ['/dashboard/debug-auth', 'Debug auth'],
  ] as const) {
    await colleague.goto(path)
    await expect(colleague.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  }
  await colleague.context().close()

  await page.goto('/health')
  await expect(page.locator('body')).toHaveText('OK')
})

test('section 2: the buttons of the tour', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: /Account menu/ })).toBeVisible()
  await page.evaluate(() =>
    window.dispatchEvent(new CustomEvent('earshot:start-tour', { detail: { tourId: 'welcome' } })),
  )
  const goOn = (title: string, name: string) =>
    page.getByRole('dialog', { name: title }).getByRole('button', { name }).click()
  await expectTexts(page, ['Skip Tour', 'Next'])
  await goOn('Welcome to Earshot', 'Next')
  await goOn('Your organisation', 'Next')
  await expectTexts(page, ['Back', 'Continue'])
  await goOn('Projects', 'Continue')
  for (const title of ['Create a project', 'Install the widget', 'The feedback dashboard', 'Documentation']) {
    await goOn(title, 'Next')
  }
  await expectTexts(page, ['Finish'])
})

test('sections 2 and 8: the toasts of the login screen', async ({ browser }) => {
  const page = await (await browser.newContext({ storageState: signedOutState })).newPage()
  await page.goto('/login#error=access_denied&error_code=access_denied')
  await expectTexts(page, ['Authentication Error'])
  await page.goto('/login?confirmed=true')
  await expectTexts(page, ['Email Confirmed'])
  await page.goto('/login?success=true')
  await expectTexts(page, ['Success'])

  let status = 429
  await page.route('**/auth/v1/resend**', (route) => route.fulfill({ status, json: {} }))
  await page.evaluate(() => sessionStorage.setItem('earshot-last-sign-up-email', 'ada@example.com'))
  const expired = '/login#error=access_denied&error_code=otp_expired'
  await page.goto(expired)
  await expectTexts(page, ['Email Link Expired', 'Resend Email'])
  await page.getByRole('button', { name: 'Resend Email' }).click()
  await expectTexts(page, ['Error', 'Failed to resend confirmation email. Please try signing up again.'])
  status = 200
  await page.goto(expired)
  await page.getByRole('button', { name: 'Resend Email' }).click()
  await expectTexts(page, ['Email Sent'])
  await page.context().close()
})

test('section 5: what is said of email addresses and the pause between sign-in links', async ({ browser }) => {
  const page = await (await browser.newContext({ storageState: signedOutState })).newPage()
  await page.goto('/forgot-password')
  const submit = page.locator('form button[type=submit]')
  await submit.click()
  await expectTexts(page, ['Email address is required'])
  await page.getByLabel('Email').fill('ada@nowhere')
  await submit.click()
  await expectTexts(page, ['Please enter a valid email address'])

  await page.goto('/login')
  const sendLink = page.getByRole('button', { name: /sign-in link/ })
  await page.getByLabel('Email').fill('ada')
  await sendLink.click()
  await expectTexts(page, ['Please enter a valid email address'])
  await page.route('**/auth/v1/otp**', (route) => route.fulfill({ json: {} }))
  await page.getByLabel('Email').fill('ada@example.com')
  await sendLink.click()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await sendLink.click()
  await expectTexts(page, [/^Please wait \d+ seconds before requesting another magic link$/])
  await page.context().close()
})

test('section 8: a person without an organisation', async ({ browser }) => {
  const person = { email: `ada-${crypto.randomUUID()}@example.com`, password: 'a good password' }
  await createAccount(person, { organization_name: 'Engines', full_name: 'Ada Lovelace' })
  const storageState = storeSession(await startSession(person))
  const page = await (await browser.newContext({ storageState })).newPage()
  await page.route('**/rest/v1/rpc/get_user_*', (route) => route.fulfill({ json: [] }))
  await page.goto('/dashboard')
  await expectTexts(page, ['No organization found. Please contact support.'])
  await page.context().close()
})

test('section 8: the start-up messages of a server without settings are part of the web app', async () => {
  const assets = join(import.meta.dirname, '..', 'build', 'web', 'client', 'assets')
  const files = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const code = (await Promise.all(files.map((name) => readFile(join(assets, name), 'utf8')))).join('\n')
  for (const text of [
    'Required environment variables missing',
    'Missing Supabase environment variables',
    'Unable to access environment variables',
    'SUPABASE_URL',
    'SUPABASE_ANON_KEY',
  ]) {
    expect(code).toContain(text)
  }
})
