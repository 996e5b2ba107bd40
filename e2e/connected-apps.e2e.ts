import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const redirectUri = 'http://127.0.0.1:33418/callback'

/** An app on the person's device, up to the address at which it sends them to the browser. */
async function startApp(page: Page, name: string) {
  const data = { client_name: name, redirect_uris: ['http://127.0.0.1/callback'] }
  const { client_id } = await (await page.request.post('/oauth/register', { data })).json()
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'of the app',
  })
  const exchange = async (code: string): Promise<string> => {
    const form = {
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    return (await (await page.request.post('/oauth/token', { form })).json()).access_token
  }
  return { address: `/oauth/authorize?${query}`, exchange }
}

/** The names of the tools that a token opens; the status where it opens none. */
async function listTools(page: Page, token: string): Promise<number | string> {
  const reply = await page.request.post('/mcp', {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  return reply.ok() ? reply.text() : reply.status()
}

test('an app is connected with a chosen scope, listed, and disconnected', async ({ page, browser, project }) => {
  expect(project.id).not.toBe('')
  const answers: string[] = []
  await page.route(`${redirectUri}**`, (route) => {
    answers.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>App</title>Back in the app.' })
  })
  const name = `Agent ${randomBytes(3).toString('hex')}`
  const { address, exchange } = await startApp(page, name)

  // Signing in comes first, and leads back.
  const stranger = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage()
  await stranger.goto(address)
  await expect(stranger).toHaveURL(/\/login\?redirect=%2Foauth%2Fauthorize%3F/)
  await stranger.context().close()

  const answer = await page.goto(address)
  expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  await expect(page.getByRole('heading', { name: `Connect “${name}”?` })).toBeVisible()
  await expect(page.getByText('The app’s name is not verified.')).toBeVisible()
  await expect(page.getByText('127.0.0.1:33418')).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Read only/ })).toBeChecked()
  await expectGoodLooks(page)

  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveTitle('App')
  expect(new URL(answers[0] ?? '').searchParams.get('error')).toBe('access_denied')

  // By keyboard alone.
  await page.goto(address)
  await page.getByRole('radio', { name: /^Read only/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /^Read and write/ })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('App')
  const { searchParams } = new URL(answers[1] ?? '')
  expect(searchParams.get('state')).toBe('of the app')
  const token = await exchange(searchParams.get('code') ?? '')
  expect(await listTools(page, token)).toContain('change_status')

  await page.goto('/dashboard/settings')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  const row = apps.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Read and write')
  await expect(row).toContainText('127.0.0.1:33418')
  await expect(row).toContainText('Last used')
  await row.scrollIntoViewIfNeeded()
  await expectGoodLooks(page)
  await row.getByRole('button', { name: `Disconnect ${name}` }).click()
  await row.getByRole('button', { name: 'Yes, disconnect' }).click()
  await expect(row).toHaveCount(0)
  expect(await listTools(page, token)).toBe(401)
})

test('an app that is not registered, or asks wrongly, is refused', async ({ page, project }) => {
  expect(project.id).not.toBe('')
  await page.goto('/oauth/authorize?client_id=nothing&redirect_uri=https://evil.example/')
  await expect(page.getByRole('heading', { name: 'This app can’t be connected' })).toBeVisible()
  await expect(page.getByText('This app is not registered here.')).toBeVisible()
  await expectGoodLooks(page)
  const { address } = await startApp(page, 'Careless')
  await page.goto(address.replace('S256', 'plain'))
  await expect(page.getByText('The app must use PKCE with the method S256.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Return to the app' })).toBeVisible()
})
