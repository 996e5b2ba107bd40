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

/** Run in another tab, these make requests of every tab wait for ever. */
const stops = {
  'the database does not open': () =>
    new Promise<void>((resolve) => {
      const opening = indexedDB.open('earshot', 2)
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept', { keyPath: 'key' })
      // The connection stays open, so that the next version waits for it, and everything later for that.
      opening.onsuccess = () => {
        indexedDB.open('earshot', 3).onblocked = () => resolve()
      }
    }),
  'another transaction does not end': () =>
    new Promise<void>((resolve) => {
      const opening = indexedDB.open('earshot', 2)
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept', { keyPath: 'key' })
      opening.onsuccess = () => {
        const store = opening.result.transaction('kept', 'readwrite').objectStore('kept')
        const goOn = () => {
          store.get('x').onsuccess = goOn
          resolve()
        }
        goOn()
      }
    }),
}

async function timeSubmission() {
  const started = performance.now()
  const outcome = await window.lab.submit('without files', [])
  return { ...outcome, seconds: (performance.now() - started) / 1000 }
}

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

  for (const [what, stop] of Object.entries(stops)) {
    test(`hanging, ${what}: sent from memory after a moment, the next at once, and it is said`, async ({
      page,
      context,
      host,
    }) => {
      const other = await context.newPage()
      await other.goto(host.pageUrl('plain'))
      await other.evaluate(stop)
      await openLab(page, host)
      const first = await page.evaluate(timeSubmission)
      expect(first).toMatchObject({ kind: 'sent' })
      expect(first.seconds).toBeLessThan(4)
      await context.setOffline(true)
      const second = await page.evaluate(timeSubmission)
      expect(second).toMatchObject({ kind: 'waiting', durable: false })
      expect(second.seconds).toBeLessThan(1)
      await context.setOffline(false)
      await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
      await expect.poll(() => host.stored.size).toBe(2)
    })
  }

  test('hanging: the visitor is not kept waiting, and is told that nothing is saved', async ({
    page,
    context,
    host,
    visitor,
  }) => {
    await page.goto(host.pageUrl('plain'))
    await page.evaluate(stops['the database does not open'])
    await visitor.write('Is anyone there?')
    await context.setOffline(true)
    await visitor.send.click()
    await expect(visitor.panel.getByText('Keep this page open: we’ll send it when you’re back online.')).toBeVisible()
    await context.setOffline(false)
    await visitor.seesReceipt()
  })

  test('locks that are never granted: sent after a moment, the next at once', async ({ page, host }) => {
    await page.addInitScript(() => {
      LockManager.prototype.request = () => new Promise(() => {})
      LockManager.prototype.query = () => new Promise(() => {})
    })
    await openLab(page, host)
    expect(await page.evaluate(timeSubmission)).toMatchObject({ kind: 'sent' })
    const second = await page.evaluate(timeSubmission)
    expect(second).toMatchObject({ kind: 'sent' })
    expect(second.seconds).toBeLessThan(1)
    expect(await page.evaluate(() => window.lab.transport.takeInterrupted())).toEqual([])
  })

  test('a database that throws: sent from memory', async ({ page, context, host }) => {
    await page.addInitScript(() => {
      IDBDatabase.prototype.transaction = () => {
        throw new DOMException('gone', 'UnknownError')
      }
    })
    await openLab(page, host)
    expect(await page.evaluate(timeSubmission)).toMatchObject({ kind: 'sent' })
    await context.setOffline(true)
    expect(await page.evaluate(timeSubmission)).toMatchObject({ kind: 'waiting', durable: false })
  })

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
