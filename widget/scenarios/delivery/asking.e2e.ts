import { createHash } from 'node:crypto'
import { expect, test } from '../fixtures.ts'
import { openLab } from './lab.ts'

test.describe('requests of the server', () => {
  test('proof of work: done without holding up the page, sent with the same body', async ({ page, host }) => {
    const challenge = 'c0ffee.1700000001'
    host.replies.push({
      status: 428,
      body: { code: 'proof_required', title: 'Please wait.', challenge, difficulty: 15 },
    })
    await openLab(page, host)
    const turns = await page.evaluate(async () => {
      let turns = 0
      const turning = setInterval(() => turns++, 1)
      await window.lab.submit('1', [])
      clearInterval(turning)
      return turns
    })
    // Some 12 ms of work at a time, and then the page's turn.
    expect(turns).toBeGreaterThan(8)
    expect(host.received).toHaveLength(2)
    expect(host.received[0]).toEqual(host.received[1])
    expect(host.stored.size).toBe(1)
    const proof = `${host.submissionAskedWith['x-earshot-proof']}`
    expect(proof.startsWith(`${challenge}:`)).toBe(true)
    const digest = createHash('sha256').update(proof).digest()
    expect(digest.readUInt32BE(0) >>> 17).toBe(0)
  })

  test('proof of work that is rejected: retried later, not refused', async ({ page, host }) => {
    const asking = { status: 428, body: { title: 'Please wait.', challenge: 'a', difficulty: 4 } }
    host.replies.push(asking, asking, asking)
    await openLab(page, host)
    expect(await page.evaluate(() => window.lab.submit('2', []))).toMatchObject({ kind: 'sent' })
    expect(host.received).toHaveLength(4)
  })

  test('own items: by the key of this browser, or by the identity that the site vouches for', async ({
    page,
    host,
  }) => {
    const item = { id: 'x', number: 7, type: 'bug', status: 'open', excerpt: 'Hm', createdAt: '', replies: [] } as const
    host.ownItems = [item as never]
    await openLab(page, host)
    const list = () => page.evaluate(() => window.lab.transport.listOwnItems(window.lab.stage))
    expect(await list()).toEqual([])
    await page.evaluate(() => localStorage.setItem('earshot.visitor', 'AAAAAAAAAAAAAAAAAAAAAA'))
    expect(await list()).toEqual([item])
    expect(host.itemsAskedWith['x-visitor-key']).toBe('AAAAAAAAAAAAAAAAAAAAAA')
    await page.evaluate(() => Object.assign(window.lab.stage.visitor, { id: 'user 1', hash: 'ab' }))
    await list()
    expect(host.itemsAskedWith).toMatchObject({ 'x-visitor-id': 'user%201', 'x-visitor-hash': 'ab' })
    expect(host.itemsAskedWith['x-visitor-key']).toBeUndefined()
  })

  test('context: the state of the browser, at most 64 kB', async ({ page, host }) => {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await openLab(page, host)
    const read = () => page.evaluate(() => window.lab.transport.readContext(window.lab.stage))
    expect(await read()).toMatchObject({
      ...{ userAgent: expect.stringContaining('Chrome/'), language: 'en-GB', languages: ['en-GB'] },
      ...{ viewport: { width: 1280, height: 800, pixelRatio: 1 }, screen: { width: 1280, height: 800 } },
      ...{ colorScheme: 'dark', reducedMotion: true, online: true, touch: false, routes: [], console: [], network: [] },
      ...{ timeZone: expect.any(String), cores: expect.any(Number), zoom: 1 },
      load: [expect.any(Number), expect.any(Number), expect.any(Number)],
    })
    await page.evaluate(() => {
      document.body.append(document.createElement('p'), document.createElement('button'))
      window.lab.stage.rings.clicked = document.body.lastElementChild as Element
      const { rings } = window.lab.stage
      for (let n = 0; n < 50; n++) {
        rings.console.push([n, 'error', `${n} ${'é'.repeat(2000)}`])
        rings.routes.push([n, `https://example.test/${n}`])
      }
    })
    const context = await read()
    expect(Buffer.byteLength(JSON.stringify(context))).toBeLessThan(64_000)
    expect(context).toMatchObject({
      truncated: true,
      clicked: expect.stringMatching(/^html>body:nth-child\(2\)>button:nth-child\(\d+\)$/),
    })
    expect((context.console as [number][]).at(-1)?.[0]).toBe(49)
    // What the page itself knows is as it was.
    expect(await page.evaluate(() => window.lab.stage.rings.console.length)).toBe(50)
  })
})
