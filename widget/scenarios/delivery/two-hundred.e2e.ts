import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import type { Host } from '../host.ts'
import { countKept, hash, makeBytes, openLab } from './lab.ts'

/*
 * 200 submissions, every fifth with a file, while everything goes wrong that can: no network, a failing server, answers
 * that are lost, tabs that are killed or reloaded in the middle, two tabs at once, a slow and dying line.
 */

const total = 200
const sizeOf = (n: number) => (n % 5 ? [] : [1000 + ((n * 7919) % 400_000)])

/** Presses "Send" for each once the one before is kept, without waiting for the outcome. */
function send(page: Page, from: number, to: number): Promise<void> {
  const jobs = Array.from({ length: to - from }, (_, index) => [from + index, sizeOf(from + index)] as const)
  return page.evaluate(async (jobs) => {
    for (const [n, sizes] of jobs) await new Promise<void>((kept) => window.lab.submit(`Number ${n}`, sizes, kept))
  }, jobs)
}

/** Kills the tab's process, as a crash or a phone does. */
async function kill(page: Page): Promise<void> {
  page.on('crash', () => {})
  await page.goto('chrome://crash').catch(() => {})
  await page.close()
}

function breakServer(host: Host, share: number): void {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(Math.random() * values.length)]
  host.chaos = () =>
    Math.random() < share
      ? pick(['drop', 'store-and-drop', 'store-and-drop', { status: 503 }, { status: 500 }, { status: 200, body: {} }])
      : undefined
  host.uploads.chaos = () =>
    Math.random() < share
      ? pick([
          ...([{ kind: 'drop' }, { kind: 'store-and-drop' }, { kind: 'store-half-and-drop' }] as const),
          ...([
            { kind: 'answer', status: 503 },
            { kind: 'wrong-offset', by: -10 },
          ] as const),
        ])
      : undefined
}

function mendServer(host: Host): void {
  host.chaos = undefined
  host.uploads.chaos = undefined
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  const speed = { downloadThroughput: 60_000, uploadThroughput: 60_000, latency: 150 }
  await session.send('Network.emulateNetworkConditions', { offline: false, ...speed })
}

test('200 submissions under every failure: all delivered, none twice', async ({ context, host }) => {
  test.setTimeout(150_000)
  const started = Date.now()
  let page = await openLab(context, host)

  // The network is gone; the tab is reloaded without it ever coming back.
  await context.setOffline(true)
  await send(page, 0, 40)
  await context.setOffline(false)
  page = await openLab(page, host)

  // The server fails and answers get lost, in two tabs at once; one of them is killed.
  breakServer(host, 0.5)
  let other = await openLab(context, host)
  await Promise.all([send(page, 40, 70), send(other, 70, 100)])
  await kill(other)

  // Reloaded in the middle of requests.
  await send(page, 100, 120)
  page = await openLab(page, host)

  // A slow line that dies, in one tab of two; both are killed.
  other = await openLab(context, host)
  await slowDown(context, other)
  await Promise.all([send(page, 120, 145), send(other, 145, 170)])
  await context.setOffline(true)
  await kill(page)
  await kill(other)
  await context.setOffline(false)

  page = await openLab(context, host)
  await send(page, 170, total)
  mendServer(host)
  const settling = Date.now()
  // The next visit finds what is left; nothing is driven by hand but the passing of a visitor's time.
  for (let visits = 0; visits < 6 && (visits < 1 || (await countKept(page)) > 0); visits++) {
    page = await openLab(page, host)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
    await expect
      .poll(() => countKept(page), { timeout: 5000 })
      .toBe(0)
      .catch(() => {})
  }

  const messages = [...host.stored.values()].map(({ body }) => (JSON.parse(body) as { message: string }).message)
  const duplicates = messages.length - new Set(messages).size
  const files = Array.from({ length: total }, (_, n) => n).filter((n) => sizeOf(n).length)
  const byName = new Map([...host.uploads.stored.values()].map((upload) => [upload.metadata.name, upload]))
  const whole = files.filter((n) => {
    const upload = byName.get(`Number ${n} 0.bin`)
    return upload && hash(upload.bytes) === hash(makeBytes(sizeOf(n)[0] ?? 0, n * 10))
  })
  console.log(
    `200 submissions: ${new Set(messages).size} delivered, ${duplicates} duplicates, ${host.received.length} attempts; ` +
      `files: ${whole.length} of ${files.length} byte for byte, ${host.uploads.stored.size} on the server, ` +
      `${host.uploads.requested.length} requests; ${Math.round((Date.now() - started) / 1000)} s, ` +
      `${Math.round((Date.now() - settling) / 1000)} s of them after the last fault`,
  )
  expect(new Set(messages).size).toBe(total)
  expect(duplicates).toBe(0)
  expect(whole).toEqual(files)
  expect(host.uploads.stored.size).toBe(files.length)
  expect(await countKept(page)).toBe(0)
})
