import type { Page } from '@playwright/test'
import { expect, test, type Visitor } from '../fixtures.ts'

interface Context {
  console?: [number, string, string][]
  network?: [number, string, string, number, number][]
  routes: [number, string][]
  clicked?: string
}

/** Sends from the panel and returns the recorded activity of the page. */
async function readContext(visitor: Visitor, host: { received: { context?: unknown }[] }): Promise<Context> {
  await visitor.write('What happened here?')
  await visitor.send.click()
  await visitor.seesReceipt()
  return host.received[0]?.context as Context
}

const collectLines = (page: Page) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  return lines
}

test.describe('page activity', () => {
  test('console: lines and uncaught errors, bounded and without queries', async ({
    page,
    host,
    visitor,
    complaints,
  }) => {
    const lines = collectLines(page)
    await page.goto(host.pageUrl('rings'))
    await page.evaluate(async () => {
      for (let index = 0; index < 60; index++) console.debug(`line ${index}`)
      console.log('signed in at', 'https://shop.test/login?token=s3cret#access_token=s3cret', 'and /done?code=s3cret)')
      console.info('What? #12 is fine', 42, null, undefined, true)
      console.warn({ password: 's3cret' }, ['a', 1], Symbol.iterator.description)
      console.error(new TypeError('No such order'))
      console.log('x'.repeat(2000))
      setTimeout(() => {
        throw new RangeError('Out of beans')
      })
      Promise.reject(new Error('No one cared'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    const context = await readContext(visitor, host)
    const entries = (context.console ?? []).map(([, level, text]) => `${level}: ${text}`)
    expect(entries).toHaveLength(50)
    expect(entries).toContain('debug: line 59')
    expect(entries).not.toContain('debug: line 10')
    expect(entries).toContain('log: signed in at https://shop.test/login and /done)')
    expect(entries).toContain('info: What? #12 is fine 42   true')
    // Of objects only the type: their content may be private.
    expect(entries).toContain('warn: [object Object] a,1 Symbol.iterator')
    expect(entries.find((entry) => entry.startsWith('error: TypeError: No such order'))).toContain('at ')
    expect(entries).toContain(`log: ${'x'.repeat(500)}`)
    expect(entries.some((entry) => entry.startsWith('error: RangeError: Out of beans'))).toBe(true)
    expect(entries.some((entry) => entry.startsWith('error: Error: No one cared'))).toBe(true)
    expect(JSON.stringify(context)).not.toContain('s3cret')
    // The page's own console says all of it.
    expect(lines.filter((line) => line.startsWith('line '))).toHaveLength(60)
    expect(lines.some((line) => line.includes('token=s3cret'))).toBe(true)
    expect(complaints.sort()).toEqual(['No one cared', 'Out of beans'])
    complaints.length = 0
  })

  test('network: method, address, status and time, never bodies', async ({ page, host, visitor }) => {
    await page.route('**/api/**', (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname.endsWith('/broken')) return route.abort()
      return route.fulfill({ status: pathname.endsWith('/missing') ? 404 : 201, body: 's3cret answer' })
    })
    await page.goto(host.pageUrl('rings'))
    const seen = await page.evaluate(async () => {
      const answer = await fetch('/api/orders?card=s3cret#s3cret', { method: 'POST', body: 's3cret' })
      await fetch(new Request('/api/missing?x=s3cret'))
      await fetch(new URL('/api/list', location.href))
      const failure = await fetch('/api/broken').catch((error: Error) => `${error.name}: ${error.message}`)
      const request = new XMLHttpRequest()
      request.open('PUT', '/api/item?key=s3cret')
      request.setRequestHeader('authorization', 's3cret')
      await new Promise((resolve) => {
        request.onloadend = resolve
        request.send('s3cret')
      })
      return [answer.status, await answer.text(), failure, request.status, request.responseText]
    })
    expect(seen).toEqual([201, 's3cret answer', 'TypeError: Failed to fetch', 201, 's3cret answer'])
    const context = await readContext(visitor, host)
    const origin = `http://localhost:${host.port}`
    expect(context.network?.map(([, method, address, status]) => [method, address, status])).toEqual([
      ['POST', `${origin}/api/orders`, 201],
      ['GET', `${origin}/api/missing`, 404],
      ['GET', `${origin}/api/list`, 201],
      ['GET', `${origin}/api/broken`, 0],
      ['PUT', `${origin}/api/item`, 201],
    ])
    for (const [end, , , , duration] of context.network ?? []) {
      expect(Math.abs(end - Date.now())).toBeLessThan(60_000)
      expect(duration).toBeGreaterThanOrEqual(0)
    }
    expect(JSON.stringify(host.received)).not.toContain('s3cret')
  })

  test('routes and the last click', async ({ page, host, visitor }) => {
    await page.goto(`${host.pageUrl('rings')}?session=s3cret#top`)
    await expect(visitor.launcher).toBeVisible()
    await page.evaluate(() => {
      history.pushState(null, '', '/rings/cart?step=2')
      history.replaceState(null, '', '/rings/checkout#pay')
    })
    await page.locator('#order').click()
    const context = await readContext(visitor, host)
    const paths = context.routes.map(([, address]) => new URL(address).pathname)
    expect(paths).toEqual(['/rings/', '/rings/cart', '/rings/checkout'])
    expect(JSON.stringify(context.routes)).not.toMatch(/s3cret|step|pay/)
    expect(context.clicked).toMatch(/#order$/)
  })

  test('records nothing where the project has switched it off', async ({ page, host, visitor }) => {
    host.settings = { ...host.settings, console: false, network: false }
    await page.goto(host.pageUrl('rings'))
    const untouched = await page.evaluate(async () => {
      console.log('hidden')
      await fetch('/rings/')
      const frame = document.body.appendChild(document.createElement('iframe'))
      const same = (one: unknown, other: unknown) => String(one) === String(other)
      const plain = frame.contentWindow as Window & typeof globalThis
      return same(fetch, plain.fetch) && same(console.log, plain.console.log)
    })
    expect(untouched).toBe(true)
    const context = await readContext(visitor, host)
    expect(context.console ?? []).toEqual([])
    expect(context.network ?? []).toEqual([])
  })

  test('changes nothing for the page, and is undone by destroy', async ({ page, host, visitor, complaints }) => {
    await page.addInitScript(() => {
      const natives = [fetch, XMLHttpRequest.prototype.open, console.log, console.error]
      Object.assign(window, { natives })
    })
    await page.route('**/api/broken', (route) => route.abort())
    await page.goto(host.pageUrl('rings'))
    await expect(visitor.launcher).toBeVisible()
    const results = await page.evaluate(async () => {
      const unhandled: string[] = []
      addEventListener('unhandledrejection', (event) => {
        event.preventDefault()
        unhandled.push(event.reason.message)
      })
      // A rejection that the page handles is none; one that it leaves alone stays one.
      await fetch('/api/broken').catch(() => {})
      const caught = unhandled.length
      fetch('/api/broken')
      for (let wait = 0; wait < 50 && !unhandled.length; wait++)
        await new Promise((resolve) => setTimeout(resolve, 100))
      const hostile = Object.assign(Object.create(null), { deep: true })
      const looksThrow = {
        toString: () => {
          throw new Error('not for strings')
        },
      }
      const returned = [console.log(hostile, Symbol('x'), looksThrow, 10n), console.table([1])]
      const free = fetch
      const thrown = (() => {
        try {
          new XMLHttpRequest().open('TRACE', '/')
        } catch (error) {
          return (error as Error).name
        }
      })()
      return {
        caught,
        unhandled,
        returned,
        status: (await free('/rings/')).status,
        promise: fetch('/rings/') instanceof Promise,
        text: [fetch, console.log, XMLHttpRequest.prototype.open].map((method) =>
          Function.prototype.toString.call(method),
        ),
        names: [fetch.name, fetch.length, console.log.name, XMLHttpRequest.prototype.open.name],
        invalid: await fetch('http://[').catch((error: Error) => error.name),
        thrown,
      }
    })
    expect(results).toMatchObject({
      caught: 0,
      unhandled: ['Failed to fetch'],
      returned: [undefined, undefined],
      status: 200,
      promise: true,
      names: ['fetch', 1, 'log', 'open'],
      invalid: 'TypeError',
      thrown: 'SecurityError',
    })
    for (const text of results.text) expect(text).toContain('[native code]')
    await page.evaluate(() => window.earshot?.('destroy'))
    const restored = await page.evaluate(() => {
      const { natives } = window as unknown as { natives: unknown[] }
      return [fetch, XMLHttpRequest.prototype.open, console.log, console.error].map(
        (one, index) => one === natives[index],
      )
    })
    expect(restored).toEqual([true, true, true, true])
    complaints.length = 0
  })
})
