import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const busy = (retryAfter: string) => ({
  status: 429,
  headers: { 'retry-after': retryAfter },
  body: { code: 'rate_limited', title: 'Too many requests.' },
})
const broken = { status: 503, body: { code: 'unavailable', title: 'The service is busy.' } }

const uniqueIds = (received: { id: string }[]) => new Set(received.map(({ id }) => id)).size

const readFlag = (page: Page) => page.evaluate(() => localStorage.getItem('earshot.waiting'))

test.describe('delivery', () => {
  test('offline: kept, said so, and sent once when the network is back', async ({ page, context, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Written in a tunnel')
    await context.setOffline(true)
    await visitor.send.click()
    await expect(visitor.panel.getByText('Your feedback is saved on this device.')).toBeVisible()
    await expect(visitor.panel.getByText('Thank you')).toBeHidden()
    expect(host.received).toHaveLength(0)
    await context.setOffline(false)
    await visitor.seesReceipt()
    expect(host.received).toHaveLength(1)
    await expect.poll(() => readFlag(page)).toBeNull()
  })

  test('offline and gone: sent on the next visit with the same id', async ({ page, context, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Closed the lid')
    await context.setOffline(true)
    await visitor.send.click()
    await expect(visitor.panel.getByText('You are offline')).toBeVisible()
    await page.close()
    await context.setOffline(false)
    const next = await context.newPage()
    await next.goto(host.pageUrl('plain'))
    await expect.poll(() => host.stored.size).toBe(1)
    await expect.poll(() => readFlag(next)).toBeNull()
    expect(host.received).toHaveLength(1)
    await next.reload({ waitUntil: 'networkidle' })
    expect(host.received).toHaveLength(1)
  })

  test('the network dies right after the click: says so, keeps the text, and sends it at the next try', async ({
    page,
    host,
    visitor,
  }) => {
    let isDead = true
    await page.route(/\/actions\.js/, (route) => (isDead ? route.abort() : route.continue()))
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Nothing but the form')
    await visitor.send.click()
    const alert = visitor.panel.getByRole('alert').filter({ hasText: 'Couldn’t get ready to send.' })
    await expect(alert).toBeVisible()
    await expect(alert.getByRole('button', { name: 'Copy text' })).toBeVisible()
    await expect(visitor.message).toHaveValue('Nothing but the form')
    isDead = false
    await visitor.panel.getByRole('button', { name: 'Try again' }).click()
    await visitor.seesReceipt()
    expect(host.received.map(({ message }) => message)).toEqual(['Nothing but the form'])
  })

  test('two failures of the server: tried again under one id', async ({ page, host, visitor }) => {
    host.replies.push(broken, { status: 500 })
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Third time lucky')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received).toHaveLength(3)
    expect(uniqueIds(host.received)).toBe(1)
    expect(host.stored.size).toBe(1)
  })

  test('an answer lost after the server stored it: one item', async ({ page, host, visitor }) => {
    host.replies.push('store-and-drop')
    await page.goto(host.pageUrl('plain'))
    await visitor.write('The line broke')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.stored.size).toBe(1)
    expect(uniqueIds(host.received)).toBe(1)
  })

  test('a 2xx without a receipt does not count', async ({ page, host, visitor }) => {
    host.replies.push({ status: 200, body: { login: 'please' } })
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Hotel network')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received).toHaveLength(2)
  })

  test('reload while the server is down: sent on the next visit, one id', async ({ page, host, visitor }) => {
    host.replies.push(...Array.from({ length: 20 }, () => broken))
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Patience')
    await visitor.send.click()
    await expect.poll(() => host.received.length).toBeGreaterThan(0)
    await page.reload()
    host.replies.length = 0
    await expect.poll(() => host.stored.size, { timeout: 20_000 }).toBe(1)
    expect(uniqueIds(host.received)).toBe(1)
    await visitor.open()
    await expect(visitor.message).toHaveValue('')
  })

  test('server down for long: says so, keeps the text, and sends it later automatically', async ({
    page,
    host,
    visitor,
  }) => {
    host.replies.push(...Array.from({ length: 20 }, () => broken))
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Is anyone there?')
    await visitor.send.click()
    await expect(visitor.panel.getByRole('alert').getByText('Not sent yet')).toBeVisible({ timeout: 15_000 })
    await expect(visitor.panel.getByText('The server has a problem right now.')).toBeVisible()
    await expect(visitor.message).toHaveValue('Is anyone there?')
    host.replies.length = 0
    await visitor.panel.getByRole('button', { name: 'Try again' }).click()
    await visitor.seesReceipt()
    expect(uniqueIds(host.received)).toBe(1)
  })

  test('asked to wait: waits that long, then sends', async ({ page, host, visitor }) => {
    host.replies.push(busy('2'))
    await page.goto(host.pageUrl('plain'))
    await visitor.write('In the queue')
    await visitor.send.click()
    await expect.poll(() => host.received.length).toBe(1)
    const asked = Date.now()
    await visitor.seesReceipt()
    expect(Date.now() - asked).toBeGreaterThan(1800)
    expect(host.received).toHaveLength(2)
    expect(uniqueIds(host.received)).toBe(1)
  })

  test('asked to wait for long: told, and not asked again before, not even after a reload', async ({
    page,
    host,
    visitor,
  }) => {
    host.replies.push(busy('3600'))
    await page.goto(host.pageUrl('plain'))
    await visitor.write('In a long queue')
    await visitor.send.click()
    await expect(visitor.panel.getByText('There are too many messages at the moment.')).toBeVisible()
    await page.reload()
    await visitor.open()
    await expect(visitor.panel.getByText('Earlier messages waiting to be sent: 1')).toBeVisible()
    await page.waitForTimeout(500)
    expect(host.received).toHaveLength(1)
  })

  test("refused: the server's reason, the text, and another chance", async ({ page, context, host, visitor }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    host.replies.push({
      status: 400,
      body: {
        title: 'Some values are not valid.',
        fields: [{ path: 'body.email', message: 'must be an email address' }],
      },
    })
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Precious words')
    await visitor.send.click()
    await expect(visitor.panel.getByText('Some values are not valid. (email: must be an email address)')).toBeVisible()
    await expect(visitor.message).toHaveValue('Precious words')
    await visitor.panel.getByRole('button', { name: 'Copy text' }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Precious words')
    expect(host.received).toHaveLength(1)
    await expect.poll(() => readFlag(page)).toBeNull()
    await page.reload()
    await visitor.open()
    await expect(visitor.message).toHaveValue('Precious words')
    await visitor.send.click()
    await visitor.seesReceipt()
  })

  test('refused in the background: shown at the next opening', async ({ page, context, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('For later')
    await context.setOffline(true)
    await visitor.send.click()
    await expect(visitor.panel.getByText('You are offline')).toBeVisible()
    await page.close()
    host.replies.push({ status: 403, body: { title: 'This website is not allowed to send to this project.' } })
    await context.setOffline(false)
    const next = await context.newPage()
    await next.goto(host.pageUrl('plain'))
    await expect.poll(() => host.received.length).toBe(1)
    await next.getByRole('button', { name: 'Feedback', exact: true }).click()
    await expect(next.getByText('An earlier message could not be sent')).toBeVisible()
    await expect(next.getByText('This website is not allowed to send to this project.')).toBeVisible()
    await expect(next.getByRole('textbox', { name: 'Your message' })).toHaveValue('For later')
  })

  test('two tabs coming online together: sent once', async ({ page, context, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    const other = await context.newPage()
    await other.goto(host.pageUrl('plain'))
    await other.getByRole('button', { name: 'Feedback', exact: true }).hover()
    await page.bringToFront()
    await visitor.write('Two tabs')
    await context.setOffline(true)
    await visitor.send.click()
    await expect(visitor.panel.getByText('You are offline')).toBeVisible()
    await context.setOffline(false)
    await expect.poll(() => host.stored.size).toBe(1)
    await page.waitForTimeout(500)
    expect(host.received).toHaveLength(1)
  })

  test('changed after a failure: a submission of its own', async ({ page, host, visitor }) => {
    host.replies.push(...Array.from({ length: 20 }, () => broken))
    await page.goto(host.pageUrl('plain'))
    await visitor.write('First version')
    await visitor.send.click()
    await expect(visitor.panel.getByText('Not sent yet')).toBeVisible({ timeout: 15_000 })
    host.replies.length = 0
    await visitor.message.fill('Second version')
    await visitor.send.click()
    await visitor.seesReceipt()
    await page.reload({ waitUntil: 'networkidle' })
    expect(host.stored.size).toBe(1)
    expect([...host.stored.values()][0]?.body).toContain('Second version')
  })

  test('blocked storage: works, and is honest about it', async ({ page, context, host, visitor }) => {
    await page.addInitScript(() => {
      for (const name of ['indexedDB', 'localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError')
          },
        })
      }
    })
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Private mode')
    await context.setOffline(true)
    await visitor.send.click()
    await expect(visitor.panel.getByText('Keep this page open')).toBeVisible()
    await context.setOffline(false)
    await visitor.seesReceipt()
  })

  test('panel not reachable: the button says so and works later', async ({ page, context, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    await context.setOffline(true)
    await visitor.launcher.click()
    await expect(page.getByRole('button', { name: '↻ Feedback' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('button', { name: '↻ Feedback' }).click()
    await expect(visitor.message).toBeFocused()
  })
})
