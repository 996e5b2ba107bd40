import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import type { Host } from '../host.ts'
import type { UploadFault } from '../host-uploads.ts'
import { countKept, hash, makeBytes, openLab } from './lab.ts'

const megabyte = 1024 * 1024
const answer = (status: number, headers = {}, body: unknown = {}): UploadFault => ({
  ...{ kind: 'answer', status, headers, body },
})

/** Whether the one file that was sent as submission `n` is on the server, byte for byte, and nothing else. */
async function arrivesWhole(page: Page, host: Host, n: number, size: number): Promise<void> {
  await expect
    .poll(() => [...host.uploads.stored.keys()].map((id) => host.uploads.isComplete(id)), { timeout: 20_000 })
    .toEqual([true])
  const [upload] = host.uploads.stored.values()
  expect(upload?.length).toBe(size)
  expect(hash(upload?.bytes ?? new Uint8Array())).toBe(hash(makeBytes(size, n * 10)))
  await expect.poll(() => countKept(page)).toBe(0)
  expect(host.uploads.mostAtOnce).toBe(1)
}

test.describe('uploads', () => {
  test('a file goes in slices, after its text, and leaves nothing behind', async ({ page, host }) => {
    await openLab(page, host)
    const size = 5 * megabyte + 123
    const outcome = await page.evaluate((size) => window.lab.submit('1', [size]), size)
    expect(outcome).toEqual({ kind: 'sent', number: 123 })
    await arrivesWhole(page, host, 1, size)
    expect(host.received).toHaveLength(1)
    const [id] = host.uploads.stored.keys()
    expect(host.uploads.requested.map((line) => line.replace(` ${id}`, ''))).toEqual([
      ...['POST', 'PATCH 0', `PATCH ${2 * megabyte}`, `PATCH ${4 * megabyte}`],
    ])
    const [stored] = host.uploads.stored.values()
    expect(stored?.metadata).toEqual({ id, kind: 'file', mime: 'text/plain', name: '1 0.bin' })
    expect(host.received[0]?.attachments).toEqual([{ id, kind: 'file', name: '1 0.bin' }])
    const news = await page.evaluate(() => window.lab.news.filter(([id]) => !(id in window.lab.uploads)).at(-1)?.[1])
    expect(news).toEqual({ sentBytes: size, totalBytes: size })
    expect(await page.evaluate(() => localStorage.getItem('earshot.waiting'))).toBeNull()
  })

  test('the receipt does not wait for a file', async ({ page, host }) => {
    host.uploads.faults.push({ kind: 'slow', ms: 3000 })
    await openLab(page, host)
    const started = Date.now()
    await page.evaluate(() => window.lab.submit('2', [1000]))
    expect(Date.now() - started).toBeLessThan(2000)
    await arrivesWhole(page, host, 2, 1000)
  })

  const faults: [string, UploadFault[]][] = [
    ['the line breaks before the upload is made', [{ on: 'POST', kind: 'drop' }]],
    ['the answer to its making is lost', [{ on: 'POST', kind: 'store-and-drop' }]],
    ['the line breaks before bytes are stored', [{ on: 'PATCH', kind: 'drop' }]],
    ['the line breaks in the middle of bytes', [{ on: 'PATCH', kind: 'store-half-and-drop' }]],
    ['the answer to bytes is lost', [{ on: 'PATCH', kind: 'store-and-drop' }]],
    ['the server fails', [answer(503), { on: 'PATCH', ...answer(500) }]],
    [
      'asking for the offset fails',
      [
        { on: 'PATCH', ...answer(502) },
        { on: 'POST', ...answer(502) },
      ],
    ],
    ['the server says more than it has', [{ on: 'PATCH', kind: 'wrong-offset', by: 1000 }]],
    ['the server says less than it has', [{ on: 'PATCH', kind: 'wrong-offset', by: -1000 }]],
    ['the server says nothing has come', [{ on: 'PATCH', kind: 'wrong-offset', by: -2 * megabyte }]],
    [
      'the server has forgotten it',
      [
        { on: 'PATCH', ...answer(502) },
        { on: 'POST', kind: 'forget' },
      ],
    ],
    [
      'the server forgets it in the middle',
      [
        { on: 'PATCH', kind: 'store-and-drop' },
        { on: 'PATCH', kind: 'forget' },
      ],
    ],
    ['another request has locked it', [{ on: 'PATCH', ...answer(423) }]],
    [
      'a login page answers',
      [
        { on: 'POST', ...answer(200) },
        { on: 'PATCH', ...answer(200) },
      ],
    ],
  ]
  for (const [what, list] of faults) {
    test(`${what}: it arrives whole`, async ({ page, host }) => {
      host.uploads.faults.push(...list)
      await openLab(page, host)
      const size = 3 * megabyte + 7
      await page.evaluate((size) => window.lab.submit('3', [size]), size)
      await arrivesWhole(page, host, 3, size)
      expect(host.uploads.faults).toEqual([])
    })
  }

  test('asked to wait: waits that long, also after a reload', async ({ page, host }) => {
    host.uploads.faults.push({ on: 'PATCH', ...answer(429, { 'retry-after': '4' }) })
    await openLab(page, host)
    await page.evaluate(() => window.lab.submit('4', [1000]))
    await expect.poll(() => host.uploads.faults.length).toBe(0)
    const asked = Date.now()
    await page.waitForTimeout(500)
    await openLab(page, host)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
    const before = host.uploads.requested.length
    await page.waitForTimeout(1500)
    expect(host.uploads.requested).toHaveLength(before)
    await arrivesWhole(page, host, 4, 1000)
    expect(Date.now() - asked).toBeGreaterThan(3900)
  })

  for (const on of ['POST', 'PATCH']) {
    test(`refused at ${on}: said in the server's words, and the text is not hurt`, async ({ page, host }) => {
      const title = 'Files may have 25 MB at most.'
      host.uploads.faults.push({ on, ...answer(413, {}, { code: 'too_large', title }) })
      await openLab(page, host)
      const outcome = await page.evaluate(() => window.lab.submit('5', [1000, 2000]))
      expect(outcome.kind).toBe('sent')
      await expect.poll(() => countKept(page)).toBe(0)
      const id = host.received[0]?.id
      const news = await page.evaluate((id) => window.lab.news.filter(([other]) => other === id), id)
      expect(JSON.stringify(news)).toContain(title)
      expect([...host.uploads.stored.keys()].filter((id) => host.uploads.isComplete(id))).toHaveLength(1)
    })
  }

  test('the tab dies in the middle: the next visit sends the rest', async ({ page, context, host }) => {
    host.uploads.chaos = (method) => (method === 'PATCH' ? { kind: 'slow', ms: 700 } : undefined)
    await openLab(page, host)
    const size = 6 * megabyte
    await page.evaluate((size) => window.lab.submit('6', [size]), size)
    await expect.poll(() => [...host.uploads.stored.values()][0]?.bytes.length).toBe(2 * megabyte)
    await page.close()
    host.uploads.chaos = undefined
    // Nothing is driven by hand: the loader finds that something waits.
    const next = await context.newPage()
    await next.goto(host.pageUrl('plain'))
    await expect.poll(() => [...host.uploads.stored.keys()].map((id) => host.uploads.isComplete(id))).toEqual([true])
    const [upload] = host.uploads.stored.values()
    expect(hash(upload?.bytes ?? new Uint8Array())).toBe(hash(makeBytes(size, 60)))
    await expect.poll(() => countKept(next)).toBe(0)
    expect(host.stored.size).toBe(1)
  })

  test('two tabs with the same file: sent once, also when the first dies', async ({ page, context, host }) => {
    host.uploads.chaos = (method) => (method === 'PATCH' ? { kind: 'slow', ms: 500 } : undefined)
    await openLab(page, host)
    const size = 8 * megabyte
    await page.evaluate((size) => window.lab.submit('7', [size]), size)
    await expect.poll(() => host.uploads.stored.size).toBe(1)
    const other = await openLab(context, host)
    await other.evaluate(() => window.lab.transport.resume(window.lab.stage, false))
    await other.waitForTimeout(700)
    await page.close()
    host.uploads.chaos = undefined
    await expect.poll(() => [...host.uploads.stored.keys()].map((id) => host.uploads.isComplete(id))).toEqual([true])
    const [upload] = host.uploads.stored.values()
    expect(hash(upload?.bytes ?? new Uint8Array())).toBe(hash(makeBytes(size, 70)))
    await expect.poll(() => countKept(other)).toBe(0)
    expect(host.received).toHaveLength(1)
  })

  test('offline with a file: text and file wait, and go when the network is back', async ({ page, context, host }) => {
    await openLab(page, host)
    await context.setOffline(true)
    const outcome = await page.evaluate(() => window.lab.submit('8', [1000]))
    expect(outcome).toMatchObject({ kind: 'waiting', why: 'offline', durable: true })
    expect(await page.evaluate(() => window.lab.transport.countWaiting())).toBe(1)
    await context.setOffline(false)
    await arrivesWhole(page, host, 8, 1000)
    expect(host.stored.size).toBe(1)
  })

  test('discarded: deleted here and on the server', async ({ page, host }) => {
    await openLab(page, host)
    await page.evaluate(() => {
      const { lab } = window
      lab.uploads.one = lab.transport.upload(lab.stage, 'file', 'text/plain', 'a', lab.makeBytes(1000, 1))
    })
    await expect.poll(() => [...host.uploads.stored.values()][0]?.bytes.length).toBe(1000)
    await page.evaluate(() => window.lab.uploads.one?.discard())
    await expect.poll(() => host.uploads.stored.size).toBe(0)
    await expect.poll(() => countKept(page)).toBe(0)
  })

  test('an upload unclaimed for a day is deleted', async ({ page, host }) => {
    await openLab(page, host)
    await page.evaluate(() => {
      const { lab } = window
      lab.transport.upload(lab.stage, 'file', 'text/plain', 'a', lab.makeBytes(1000, 1))
    })
    await expect.poll(() => [...host.uploads.stored.values()][0]?.bytes.length).toBe(1000)
    await page.clock.install({ time: Date.now() + 23.9 * 3_600_000 })
    await openLab(page, host)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, false))
    expect(await countKept(page)).toBe(2)
    await page.clock.setFixedTime(Date.now() + 24.1 * 3_600_000)
    await openLab(page, host)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, false))
    expect(await countKept(page)).toBe(0)
    expect(await page.evaluate(() => localStorage.getItem('earshot.waiting'))).toBeNull()
  })
})
