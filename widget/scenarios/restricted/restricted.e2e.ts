import { expect, test } from '../fixtures.ts'

test.describe('storage', () => {
  test('blocked by the browser: works, without a word of complaint', async ({ page, host, visitor }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
        Object.defineProperty(window, name, { get: refuse })
      }
    })
    await page.goto(host.pageUrl('restricted'))
    await visitor.write('Nothing may be kept')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received).toHaveLength(1)
  })

  test('switched off by the project: nothing is written', async ({ page, host, visitor }) => {
    host.settings = { ...host.settings, storage: false }
    await page.goto(host.pageUrl('restricted'))
    await visitor.write('Leave no trace')
    await visitor.send.click()
    await visitor.seesReceipt()
    await page.keyboard.press('Escape')
    await visitor.write('Half a thought')
    const kept = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
      ...(await caches.keys()),
      ...document.cookie.split(';').filter(Boolean),
    ])
    expect(kept).toEqual([])
  })
})

test.describe('in a frame', () => {
  test('with a policy that forbids devices', async ({ page, host }) => {
    await page.goto(`${host.pageUrl('restricted')}frame.html`)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('button', { name: 'Feedback', exact: true }).click()
    await frame.getByRole('textbox', { name: 'Your message' }).fill('From within')
    await frame.getByRole('button', { name: 'Send feedback' }).click()
    await expect(frame.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    expect(host.received).toHaveLength(1)
  })

  test('of no origin, from which nothing can be sent: has no button, and logs why', async ({ page, host }) => {
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await page.goto(`${host.pageUrl('restricted')}opaque.html`, { waitUntil: 'networkidle' })
    await expect(page.frameLocator('iframe').getByRole('heading')).toBeVisible()
    await expect(page.frameLocator('iframe').getByRole('button')).toHaveCount(0)
    expect(lines).toEqual(['Earshot: not for null'])
  })
})

test('a page drawn ahead of the visit counts when it is seen, and works', async ({ page, host, visitor }) => {
  // What a browser says while it prerenders; the browser at hand prerenders only by its own judgement.
  await page.addInitScript(() => {
    const state = { hidden: true }
    Object.defineProperty(document, 'hidden', { get: () => state.hidden, configurable: true })
    Object.assign(window, {
      activate() {
        state.hidden = false
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      },
    })
  })
  await page.goto(host.pageUrl('restricted'))
  await expect(visitor.launcher).toBeVisible()
  await page.waitForTimeout(300)
  expect(host.requested).toHaveLength(1)
  await page.evaluate(() => (window as unknown as { activate(): void }).activate())
  await expect.poll(() => host.requested.filter((path) => path.endsWith('/n/loaded')).length).toBe(1)
  await page.evaluate(() => (window as unknown as { activate(): void }).activate())
  await visitor.write('Seen now')
  await visitor.send.click()
  await visitor.seesReceipt()
  expect(host.requested.filter((path) => path.endsWith('/n/loaded'))).toHaveLength(1)
})
