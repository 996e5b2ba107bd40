import { randomUUID } from 'node:crypto'
import { expectGoodLooks } from '../looks.ts'
import { expect, test } from '../product.ts'
import { findLink, signOut, toastOf } from './people.ts'

test.describe('the settings of an account', () => {
  test('change name and password, and sign the other devices out', async ({
    page,
    browser,
    signUp,
    signIn,
    baseURL,
  }) => {
    const person = await signUp(page)
    const phone = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await signIn(phone, person)

    await page.getByRole('button', { name: /Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await expect(page.getByText('This device', { exact: true })).toBeVisible()
    await expectGoodLooks(page)

    await page.getByLabel('Full name').fill('Ada King')
    await page.getByRole('button', { name: 'Save name' }).click()
    await expect(toastOf(page).getByText('Name saved', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /Account menu/ })).toContainText('Ada King')

    const passwords = page.getByRole('region', { name: 'Password' })
    const change = async (current: string, next: string) => {
      await passwords.getByLabel('Current password').fill(current)
      await passwords.getByLabel('New password').fill(next)
      await passwords.getByLabel('Confirm password').fill(next)
      await passwords.getByRole('button', { name: 'Change password' }).click()
    }
    await change('not the one', 'another secret')
    await expect(passwords.getByText('The current password is not correct.')).toBeVisible()
    await change(person.password, 'another secret')
    await expect(toastOf(page).getByText('Password changed', { exact: true })).toBeVisible()

    await phone.goto('/dashboard/feedback')
    await expect(phone).toHaveURL(/\/login\?redirect=/)
    await expect(phone.getByText('Your session has expired. Please sign in again.').first()).toBeVisible()
    await signIn(phone, { email: person.email, password: 'another secret' })

    await page.reload()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('button', { name: 'Sign out all' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await phone.goto('/dashboard')
    await expect(phone).toHaveURL(/\/login$/)
  })

  test('set how dates and times are shown, on every device', async ({ page, browser, signUp, signIn, baseURL }) => {
    const person = await signUp(page)
    await page.goto('/dashboard/settings')
    const dates = page.getByRole('region', { name: 'Dates and times' })
    await dates.getByLabel('Date format').selectOption({ label: '2026-11-23 14:30' })
    await dates.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await dates.getByRole('button', { name: 'Save' }).click()
    await expect(toastOf(page).getByText('Dates and times saved', { exact: true })).toBeVisible()

    const phone = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await signIn(phone, person)
    await phone.goto('/dashboard/settings')
    await expect(phone.getByRole('region', { name: 'Dates and times' }).getByLabel('Time zone')).toHaveValue(
      'Asia/Tokyo',
    )
    const shown = phone.getByRole('region', { name: 'Devices' }).locator('time').first()
    const moment = new Date((await shown.getAttribute('datetime')) ?? '')
    const inTokyo = new Date(moment.getTime() + 9 * 3_600_000).toISOString()
    await expect(shown).toHaveAttribute('title', inTokyo.slice(0, 19).replace('T', ' '))
  })

  test('move it to another address, once both are confirmed', async ({ page, signUp, signIn, mails }) => {
    const person = await signUp(page)
    const before = await mails.waitForMail(person.email)
    const newEmail = `moved-${randomUUID().slice(0, 8)}@example.com`
    await page.goto('/dashboard/settings')
    await page.getByLabel('New email').fill(newEmail)
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(page.getByText(`Waiting for confirmation of ${newEmail}`)).toBeVisible()

    await page.goto(findLink(await mails.waitForMail(newEmail)))
    await expect(toastOf(page).getByText('One more confirmation to go', { exact: true })).toBeVisible()
    await page.goto(findLink(await mails.waitForMail(person.email, { after: before })))
    await expect(toastOf(page).getByText('Email address changed', { exact: true })).toBeVisible()
    await page.goto('/dashboard/settings')
    await expect(page.getByRole('region', { name: 'Email' })).toContainText(newEmail)
    await signOut(page)
    await signIn(page, { email: newEmail, password: person.password })
  })

  test('delete it, after its losses were named and its password was entered', async ({ page, signUp }) => {
    const person = await signUp(page)
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await expect(dialog.getByText(`${person.organizationName}: 0 projects, 0 items of feedback`)).toBeVisible()
    await expectGoodLooks(page)
    const confirm = dialog.getByRole('button', { name: 'Delete account' })
    await dialog.getByLabel('Your email').fill('someone-else@example.com')
    await dialog.getByLabel('Your password').fill('not the one')
    await confirm.click()
    await expect(dialog.getByText('This doesn’t match your account’s email.')).toBeVisible()
    await dialog.getByLabel('Your email').fill(person.email)
    await confirm.click()
    await expect(dialog.getByText('The password is not correct.')).toBeVisible()
    await dialog.getByLabel('Your password').fill(person.password)
    await confirm.click()
    await expect(toastOf(page).getByText('Account deleted', { exact: true })).toBeVisible()
    await page.goto('/login')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible()
  })

  test('delete it without a password, by a code from an email', async ({ page, signUp, mails }) => {
    const person = await signUp(page)
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByRole('button', { name: 'Use a code from an email instead' }).click()
    const before = await mails.waitForMail(person.email)
    await dialog.getByRole('button', { name: 'Email me a code' }).click()
    const { text } = await mails.waitForMail(person.email, { after: before })
    await dialog.getByLabel('Your email').fill(person.email)
    const code = dialog.getByLabel('6-digit code')
    await code.fill('000000')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await expect(dialog.getByText('This code is wrong or has expired.')).toBeVisible()
    await expectGoodLooks(page)
    await code.fill(/^\d{6}$/m.exec(text)?.[0] ?? '')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await expect(toastOf(page).getByText('Account deleted', { exact: true })).toBeVisible()
  })

  test('show the claims of a session, and never a token', async ({ page, signUp }) => {
    await signUp(page)
    await page.goto('/dashboard/debug-auth')
    await expect(page.getByRole('heading', { name: 'Debug auth' })).toBeVisible()
    await expect(page.getByText('session_id')).toBeVisible()
    await expectGoodLooks(page)
    const stored = await page.evaluate(() => localStorage.getItem('earshot-session') ?? '')
    const { access_token: accessToken, refresh_token: refreshToken } = JSON.parse(stored) as Record<string, string>
    const html = await page.content()
    for (const token of [accessToken, refreshToken]) {
      expect(token?.length).toBeGreaterThan(20)
      expect(html).not.toContain(token)
    }
  })
})

test('the trial-expired and plan screens name the next step', async ({ page }) => {
  await page.goto('/trial-expired')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectGoodLooks(page)
  await page.goto('/plan-selection')
  await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible()
  await expect(page.getByText('$49')).toBeVisible()
  await page.getByText('Yearly', { exact: true }).click()
  await expect(page.getByText('$490')).toBeVisible()
  await expectGoodLooks(page)
})
