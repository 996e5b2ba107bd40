import type { Page } from '@playwright/test'
import { expect, test } from '../product.ts'
import { signOut } from './people.ts'

const key = 'earshot-session'

type Stored = { expires_at: number; refresh_token: string }

async function readSession(page: Page): Promise<Stored | undefined> {
  const text = await page.evaluate((name) => localStorage.getItem(name) ?? sessionStorage.getItem(name), key)
  return text === null ? undefined : (JSON.parse(text) as Stored)
}

test.describe('a session', () => {
  test('is refreshed at the start if it ends within five minutes, and not before', async ({ page, signUp }) => {
    await signUp(page)
    const setExpiry = (seconds: number) =>
      page.evaluate(
        ([name, inSeconds]) => {
          const session = JSON.parse(localStorage.getItem(name) ?? '{}')
          localStorage.setItem(name, JSON.stringify({ ...session, expires_at: Date.now() / 1000 + inSeconds }))
        },
        [key, seconds] as const,
      )
    const first = (await readSession(page))?.refresh_token
    await setExpiry(400)
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
    expect((await readSession(page))?.refresh_token).toBe(first)
    await setExpiry(200)
    await page.reload()
    await expect.poll(async () => (await readSession(page))?.refresh_token).not.toBe(first)

    // Without a connection, a session that is still valid continues.
    await setExpiry(200)
    await page.route('**/auth/v1/token**', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  })

  test('is refreshed every half hour', async ({ page, signUp }) => {
    await signUp(page)
    await page.clock.install()
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
    const refreshed = page.waitForResponse((response) => response.url().includes('grant_type=refresh_token'))
    await page.clock.fastForward('30:01')
    expect((await refreshed).status()).toBe(200)
  })

  test('ends in every tab, and on a shared machine with its window', async ({
    page,
    context,
    browser,
    signUp,
    baseURL,
  }) => {
    const person = await signUp(page)
    const tab = await context.newPage()
    await tab.goto('/dashboard/projects')
    await expect(tab.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
    await signOut(page)
    await expect(tab).toHaveURL(/\/login/)

    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByLabel('Remember me').uncheck()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    const storageState = await context.storageState()
    const later = await (await browser.newContext({ storageState, baseURL: baseURL ?? '' })).newPage()
    await later.goto('/dashboard')
    await expect(later).toHaveURL(/\/login$/)
    await expect(later.getByLabel('Remember me')).not.toBeChecked()
  })
})
