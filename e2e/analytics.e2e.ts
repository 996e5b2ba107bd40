import { createServer, type Server } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from './product.ts'
import { findFreePorts, type Product, startProduct } from './start-product.ts'

interface ReceivedEvent {
  event: string
  properties: Record<string, unknown>
}

/** Takes events as the analytics service does. */
function startReceiver(port: number): Promise<{ server: Server; bodies: string[]; events: () => ReceivedEvent[] }> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const isCompressed = body[0] === 0x1f && body[1] === 0x8b
      if (request.method === 'POST') bodies.push((isCompressed ? gunzipSync(body) : body).toString())
      response.writeHead(200, {
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-headers': 'content-type',
        'access-control-allow-credentials': 'true',
        'content-type': 'application/json',
      })
      response.end('{"status":1}')
    })
  })
  const events = () => bodies.flatMap((body) => (JSON.parse(body) as { batch: ReceivedEvent[] }).batch)
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve({ server, bodies, events })))
}

/** Which other origins the page asked for anything. */
function watchOutside(page: Page, ownOrigin: string): Set<string> {
  const outside = new Set<string>()
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== ownOrigin) outside.add(origin)
  })
  return outside
}

test.describe('product analytics', () => {
  let product: Product
  let receiver: Awaited<ReturnType<typeof startReceiver>>

  test.beforeAll(async () => {
    test.setTimeout(240_000)
    const [port = 0] = await findFreePorts(1)
    receiver = await startReceiver(port)
    product = await startProduct({ POSTHOG_KEY: 'phc_test', POSTHOG_HOST: `http://127.0.0.1:${port}` })
  })

  test.afterAll(async () => {
    await product?.stop()
    receiver?.server.close()
  })

  test('sends events without personal data', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: product.url })
    // The client counts no robots, and takes what is driven from outside for one.
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
      Object.defineProperty(Navigator.prototype, 'userAgent', { get: () => 'Mozilla/5.0 Firefox/145.0' })
      Object.defineProperty(Navigator.prototype, 'userAgentData', { get: () => undefined })
    })
    const page = await context.newPage()
    const email = 'grace@example.com'
    await page.goto('/register')
    await page.getByLabel('Full name').fill('Grace Hopper')
    await page.getByLabel('Organisation').fill('Compilers')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.locator('form button[type=submit]').click()
    await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
    const mail = await product.mails.waitForMail(email)
    await page.goto(mail.links.find((each) => each.includes('/verify')) ?? '')
    await expect(page).toHaveURL(/\/dashboard/)
    await page.goto(`/dashboard/settings?from=${email}`)
    await page.getByLabel('Full name').fill('Grace Murray')
    await page.getByRole('button', { name: 'Save name' }).click()
    await expect(page.getByText('Name saved').first()).toBeVisible()
    await page.getByRole('button', { name: /Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login$/)

    const names = () => receiver.events().map(({ event }) => event)
    await expect
      .poll(names, { timeout: 15_000 })
      .toEqual(
        expect.arrayContaining([
          'user_signed_up',
          '$identify',
          'user_logged_in',
          '$groupidentify',
          'settings_viewed',
          'settings_updated',
          'user_logged_out',
        ]),
      )
    const group = receiver.events().find(({ event }) => event === '$groupidentify')
    expect(group?.properties).toMatchObject({
      $group_type: 'organization',
      $group_set: { subscription_status: expect.any(String) },
    })
    const everything = receiver.bodies.join('\n')
    for (const secret of ['Grace', 'Hopper', email, 'code=', '"$user_id"', 'a long password']) {
      expect(everything).not.toContain(secret)
    }
    await context.close()
  })

  test('without a key sends no request to other servers', async ({ page, signUpByForm, baseURL }) => {
    const outside = watchOutside(page, new URL(baseURL ?? '').origin)
    const answer = await page.goto('/login')
    expect(answer?.headers()['content-security-policy']).toContain("connect-src 'self';")
    await signUpByForm(page)
    await page.goto('/dashboard/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect([...outside]).toEqual([])
  })
})
