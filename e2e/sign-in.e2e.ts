import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { readMails } from '#doubles/read-mails.ts'

const appUrl = process.env.EARSHOT_URL ?? ''
const mails = readMails(process.env.EARSHOT_MAIL_URL ?? '')
const password = 'correct horse 1'
let people = 0

function makeEmail(): string {
  people += 1
  return `person-${people}-${Date.now()}@example.com`
}

/** Fills in the form; the page shows how to verify the address afterwards. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${appUrl}/register`)
  await page.getByLabel('Full name').fill('Ada Lovelace')
  await page.getByLabel('Organisation').fill('Analytical Engines')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
}

async function findLink(email: string): Promise<string> {
  const mail = await mails.waitForMail(email)
  const link = mail.links.find((each) => each.includes('/auth/v1/verify'))
  if (link === undefined) throw new Error('The mail holds no verification link')
  return link
}

async function signIn(page: Page, email: string, typedPassword = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(typedPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

test.describe('signing up and in', () => {
  test('leads from the form over the mailed link to the dashboard, and out again', async ({ page, context }) => {
    const email = makeEmail()
    await signUp(page, email)
    await expectAccessible(page)
    await expect(page.getByText(email)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend Verification Email' })).toBeDisabled()

    const mailTab = await context.newPage()
    await mailTab.goto(await findLink(email))
    await expect(mailTab.getByRole('heading', { name: 'Hello, Ada' })).toBeVisible()
    await expect(mailTab.getByText('Analytical Engines').first()).toBeVisible()
    await expectAccessible(mailTab)
    // The tab that waited for it has noticed.
    await expect(page).toHaveURL(`${appUrl}/dashboard`)

    await page.getByRole('button', { name: /Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${appUrl}/login`)
    await signIn(page, email)
    await expect(page).toHaveURL(`${appUrl}/dashboard`)
    expect(await context.cookies()).toEqual([])
  })

  test('says so when the link was asked for in another browser, and the password works then', async ({
    page,
    browser,
  }) => {
    const email = makeEmail()
    await signUp(page, email)
    const elsewhere = await (await browser.newContext()).newPage()
    await elsewhere.goto(await findLink(email))
    await expect(elsewhere.getByText('Authentication flow interrupted. Please try again.')).toBeVisible()
    await elsewhere.getByRole('link', { name: 'Sign in' }).click()
    await signIn(elsewhere, email)
    await expect(elsewhere).toHaveURL(`${appUrl}/dashboard`)
  })

  test('explains what went wrong, in words', async ({ page }) => {
    const email = makeEmail()
    await page.goto(`${appUrl}/login`)
    await signIn(page, email)
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible()
    await expectAccessible(page)

    await signUp(page, email)
    await page.getByRole('button', { name: "I've Verified My Email" }).click()
    await expect(page).toHaveURL(`${appUrl}/login`)
    await signIn(page, email)
    await expect(page.getByText('Please verify your email before signing in.')).toBeVisible()

    await page.route('**/auth/v1/token**', (route) => route.abort())
    await signIn(page, email)
    await expect(page.getByText('Network error. Please check your connection and try again.')).toBeVisible()
  })

  test('shows an expired link as a toast and offers another mail', async ({ page }) => {
    await page.goto(`${appUrl}/login#error=access_denied&error_code=otp_expired&error_description=It+has+expired`)
    await expect(page.getByText('Email Link Expired').first()).toBeVisible()
    await expect(page).toHaveURL(`${appUrl}/login`)
    await expectAccessible(page)
    // Nobody signed up in this browser: there is no address to send it to.
    await page.getByRole('button', { name: 'Resend Email' }).click()
    await expect(page).toHaveURL(`${appUrl}/register`)
  })
})

test.describe('the guard', () => {
  test('sends strangers to the login page and back to where they were', async ({ page }) => {
    const email = makeEmail()
    await signUp(page, email)
    await page.request.get(await findLink(email))
    await page.goto(`${appUrl}/dashboard/feedback?status=new`)
    await expect(page).toHaveURL(`${appUrl}/login?redirect=%2Fdashboard%2Ffeedback%3Fstatus%3Dnew`)
    await signIn(page, email)
    await expect(page).toHaveURL(`${appUrl}/dashboard/feedback?status=new`)
    await page.goto(`${appUrl}/login?redirect=//evil.example`)
    await expect(page).toHaveURL(`${appUrl}/dashboard`)
  })

  test('answers unknown addresses with 404', async ({ page }) => {
    const response = await page.goto(`${appUrl}/dashboard/nothing-here`)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByText("The page you're looking for doesn't exist or has been moved.")).toBeVisible()
    await expectAccessible(page)
  })
})

test('the front page breaks no policy, is accessible and needs no script to be read', async ({ page, request }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${appUrl}/`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hear what your visitors have to say.')
  await expectAccessible(page)
  expect(complaints).toEqual([])
  const html = await (await request.get(`${appUrl}/`)).text()
  expect(html).toContain('Hear what your visitors have to say.')
  expect(html).toContain('rel="canonical"')
})
