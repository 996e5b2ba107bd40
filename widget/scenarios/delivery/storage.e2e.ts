import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { countKept, hash, makeBytes, openLab } from './lab.ts'

/** Everything a browser keeps for the page: names of databases, and local storage. */
const listKept = (page: Page) =>
  page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({ name }) => name),
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
  ])

const size = 3_000_000

async function arrives(
  host: { uploads: { stored: Map<string, { bytes: Buffer; length: number | undefined }> } },
  n: number,
) {
  await expect
    .poll(() => [...host.uploads.stored.values()].map(({ bytes, length }) => bytes.length === length))
    .toEqual([true])
  expect(hash([...host.uploads.stored.values()][0]?.bytes ?? new Uint8Array())).toBe(hash(makeBytes(size, n * 10)))
}

test.describe('storage', () => {
  for (const [what, names] of [
    ['everything', ['indexedDB', 'localStorage', 'sessionStorage']],
    ['the database', ['indexedDB']],
    ['local storage', ['localStorage']],
  ] as const) {
    test(`blocked, ${what}: text and file are sent from memory, and it is said`, async ({ page, context, host }) => {
      await page.addInitScript((names) => {
        for (const name of names) {
          Object.defineProperty(window, name, {
            get() {
              throw new DOMException('blocked', 'SecurityError')
            },
          })
        }
      }, names)
      await openLab(page, host)
      await context.setOffline(true)
      const outcome = await page.evaluate((size) => window.lab.submit('1', [size]), size)
      expect(outcome).toMatchObject({ kind: 'waiting', durable: what === 'local storage' })
      await context.setOffline(false)
      await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
      await arrives(host, 1)
      expect(host.stored.size).toBe(1)
    })
  }

  test('full: records that do not fit are sent from memory, and the visitor is told', async ({
    page,
    context,
    host,
  }) => {
    await openLab(page, host)
    const session = await context.newCDPSession(page)
    const origin = new URL(page.url()).origin
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 100_000 })
    await context.setOffline(true)
    const outcome = await page.evaluate((size) => window.lab.submit('2', [size]), size)
    expect(outcome).toMatchObject({ kind: 'waiting', durable: false })
    await context.setOffline(false)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
    await arrives(host, 2)
    await expect.poll(() => countKept(page)).toBe(0)
  })

  test('unwanted by the project: nothing is left in the browser, at any time', async ({ page, context, host }) => {
    host.settings = { ...host.settings, storage: false }
    await openLab(page, host)
    await context.setOffline(true)
    const outcome = await page.evaluate((size) => window.lab.submit('3', [size]), size)
    expect(outcome).toMatchObject({ kind: 'waiting', durable: false })
    expect(await page.evaluate(() => window.lab.transport.countWaiting())).toBe(1)
    expect(await listKept(page)).toEqual([])
    await context.setOffline(false)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
    await arrives(host, 3)
    expect(await page.evaluate(() => window.lab.transport.countWaiting())).toBe(0)
    expect(await listKept(page)).toEqual([])
  })

  test('a visit without anything to send opens no database', async ({ page, host }) => {
    await openLab(page, host)
    await page.evaluate(async () => {
      const { transport, stage } = window.lab
      await transport.resume(stage, false)
      await transport.countWaiting()
      await transport.takeRefused()
      await transport.takeInterrupted()
    })
    expect(await listKept(page)).toEqual([])
  })

  test('without Web Locks: two tabs, one item and one file', async ({ context, host }) => {
    await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
    host.uploads.chaos = (method) => (method === 'PATCH' ? { kind: 'slow', ms: 200 } : undefined)
    const page = await openLab(context, host)
    await page.evaluate((size) => window.lab.submit('4', [size]), size)
    const other = await openLab(context, host)
    await other.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
    await arrives(host, 4)
    expect(host.stored.size).toBe(1)
    await expect.poll(() => countKept(other)).toBe(0)
  })
})
