import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { countKept, hash, makeBytes, openLab } from './lab.ts'

const chunkSize = 30_000

/** Starts a recording of so many chunks, as the recorder hands them over. */
async function record(page: Page, chunks: number): Promise<string> {
  return page.evaluate(
    ({ chunks, chunkSize }) => {
      const { lab } = window
      const upload = lab.transport.upload(lab.stage, 'voice', 'audio/webm', 'Voice note')
      lab.uploads.voice = upload
      for (let n = 0; n < chunks; n++) upload.append(lab.makeBytes(chunkSize, n))
      return upload.id
    },
    { chunks, chunkSize },
  )
}

const bytesOf = (chunks: number) => Buffer.concat(Array.from({ length: chunks }, (_, n) => makeBytes(chunkSize, n)))

/** What a page is offered of recordings that others left behind. */
function takeInterrupted(page: Page): Promise<{ size: number; type: string; durationMs: number; sha: string }[]> {
  return page.evaluate(async () => {
    const { lab } = window
    const found = []
    for (const { upload, blob, durationMs } of await lab.transport.takeInterrupted()) {
      lab.uploads[upload.kind] = upload
      const sha = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
      found.push({
        size: blob.size,
        type: blob.type,
        durationMs,
        sha: Array.from(sha, (byte) => byte.toString(16).padStart(2, '0')).join(''),
      })
    }
    return found
  })
}

test.describe('recordings', () => {
  test('are uploaded while they run, and closed by finish', async ({ page, host }) => {
    await openLab(page, host)
    const id = await record(page, 3)
    await expect.poll(() => host.uploads.stored.get(id)?.bytes.length).toBe(3 * chunkSize)
    expect(host.uploads.stored.get(id)?.length).toBeUndefined()
    await page.evaluate((size) => {
      const { lab } = window
      lab.uploads.voice?.append(lab.makeBytes(size, 3))
      lab.uploads.voice?.finish()
    }, chunkSize)
    await expect.poll(() => host.uploads.isComplete(id)).toBe(true)
    expect(hash(host.uploads.stored.get(id)?.bytes ?? new Uint8Array())).toBe(hash(bytesOf(4)))
    // Not sent yet, so it is kept.
    expect(await countKept(page)).toBe(5)
    expect(host.uploads.mostAtOnce).toBe(1)
  })

  test('a tab that dies: the next visit is offered all that was kept, once, and can send it', async ({
    page,
    context,
    host,
  }) => {
    await openLab(page, host)
    const id = await record(page, 5)
    await expect.poll(() => countKept(page)).toBe(6)
    await page.goto('chrome://crash').catch(() => {})
    await page.close()
    const next = await openLab(context, host)
    const offered = await takeInterrupted(next)
    const all = { size: 5 * chunkSize, type: 'audio/webm', durationMs: 10_000, sha: hash(bytesOf(5)) }
    expect(offered).toEqual([all])
    expect(await takeInterrupted(next)).toEqual([])
    await next.evaluate(() => window.lab.uploads.voice?.finish())
    await expect.poll(() => host.uploads.isComplete(id)).toBe(true)
    expect(hash(host.uploads.stored.get(id)?.bytes ?? new Uint8Array())).toBe(hash(bytesOf(5)))
  })

  test('one that another tab still makes is not offered', async ({ page, context, host }) => {
    await openLab(page, host)
    await record(page, 2)
    await expect.poll(() => countKept(page)).toBe(3)
    const other = await openLab(context, host)
    expect(await takeInterrupted(other)).toEqual([])
    await page.close()
    await expect.poll(() => takeInterrupted(other).then((found) => found.length)).toBe(1)
  })

  test('one that was finished or discarded is not offered', async ({ page, context, host }) => {
    await openLab(page, host)
    await record(page, 2)
    await page.evaluate(() => window.lab.uploads.voice?.finish())
    await record(page, 2)
    await page.evaluate(() => window.lab.uploads.voice?.discard())
    await expect.poll(() => countKept(page)).toBe(3)
    await page.close()
    expect(await takeInterrupted(await openLab(context, host))).toEqual([])
  })

  test('offline while recording: all of it goes when the network is back', async ({ page, context, host }) => {
    await openLab(page, host)
    await context.setOffline(true)
    const id = await record(page, 4)
    await page.evaluate(() => window.lab.uploads.voice?.finish())
    await page.waitForTimeout(300)
    expect(host.uploads.stored.size).toBe(0)
    await context.setOffline(false)
    await page.evaluate(() => window.lab.transport.resume(window.lab.stage, true))
    await expect.poll(() => host.uploads.isComplete(id)).toBe(true)
    expect(hash(host.uploads.stored.get(id)?.bytes ?? new Uint8Array())).toBe(hash(bytesOf(4)))
  })
})
