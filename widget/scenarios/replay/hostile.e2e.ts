import { gzipSync } from 'node:zlib'
import { test as base, expect } from '@playwright/test'
import type { BundlePage } from '../bundle-page.ts'
import { openSite } from './site.ts'

/*
 * A replay is what a stranger sent. Whatever is in it, the page that shows it runs nothing of it, asks nobody for
 * anything, and goes on working.
 */

const test = base.extend<{ site: BundlePage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  site: async ({}, use) => {
    const site = await openSite()
    await use(site)
    await site.stop()
  },
})

let nextId = 0
const element = (tagName: string, attributes: Record<string, unknown> = {}, childNodes: unknown[] = []) => ({
  type: 2,
  id: ++nextId,
  tagName,
  attributes,
  childNodes,
})
const svg = (tagName: string, attributes: Record<string, unknown>) => ({ ...element(tagName, attributes), isSVG: true })
const text = (textContent: string) => ({ type: 3, id: ++nextId, textContent })

/** A recording of one page and what happened on it. */
function recording(head: unknown[], body: unknown[], later: Record<string, unknown>[] = []): unknown[] {
  const html = element('html', {}, [element('head', {}, head), element('body', {}, body)])
  return [
    { type: 4, timestamp: 1000, data: { href: 'javascript:pwned()', width: 800, height: 600 } },
    { type: 2, timestamp: 1001, data: { node: { type: 0, id: 99_999, childNodes: [html] }, initialOffset: {} } },
    ...later.map((data, index) => ({ type: 3, timestamp: 1100 + index, data })),
  ]
}

// Leads to the test's own server, so that a request that gets through is seen there.
const evil = 'http://evil.example:PORT/leak'
const code = 'top.pwned = true; parent.pwned = true'

function attack(): unknown[] {
  const head = [
    element('script', { src: `${evil}.js` }),
    element('script', {}, [text(code)]),
    element('base', { href: 'http://evil.example/' }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}` }),
    element('link', { rel: 'stylesheet', href: `${evil}.css` }),
    element('link', { rel: 'dns-prefetch', href: evil }),
    element('link', { rel: 'preload', as: 'image', href: evil }),
    element('style', {
      _cssText: `@import url(${evil}.css); @font-face { font-family: F; src: url(${evil}.woff2) } body { font-family: F; background: url(${evil}.png) } h1 { background: u\\72l("${evil}-escaped.png"); color: rgb(1, 2, 3) }`,
    }),
    element('style', {}, [text(`p { background: image-set(url(${evil}-set.png) 1x) }`)]),
  ]
  const body = [
    element('h1', { onclick: code, onmouseover: code }, [text('<script>top.pwned = true</script>')]),
    element('img', { src: `${evil}.png`, srcset: `${evil}-2.png 2x`, onerror: code }),
    element('img', { src: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="top.pwned=true"/>' }),
    element('img', { src: 'x', onerror: code }),
    element('iframe', { src: `${evil}.html`, srcdoc: `<script>${code}</script>` }),
    element('object', { data: `${evil}.swf` }),
    element('embed', { src: `${evil}.swf` }),
    element('video', { src: `${evil}.mp4`, poster: `${evil}-poster.png`, autoplay: true }),
    element('audio', { src: `${evil}.mp3`, autoplay: true }, [element('source', { src: `${evil}.ogg` })]),
    element('a', { id: 'link', href: `javascript:${code}`, ping: evil, target: '_top' }, [text('Click me')]),
    element('form', { action: `javascript:${code}` }, [
      element('input', { autofocus: true, onfocus: code, value: 'x' }),
      element('input', { type: 'image', src: `${evil}-input.png` }),
      element('button', { formaction: `javascript:${code}` }, [text('Send')]),
    ]),
    element('noscript', {}, [element('img', { src: `${evil}-noscript.png` })]),
    element('div', { style: `background-image: url(${evil}-style.png); color: red` }, [text('Styled')]),
    element('table', { background: `${evil}-table.png` }),
    svg('use', { href: `${evil}.svg#x` }),
    svg('image', { href: `${evil}-image.png`, 'xlink:href': `${evil}-image.png` }),
    svg('script', { href: `${evil}.js` }),
    svg('animate', { attributeName: 'href', to: `javascript:${code}`, onbegin: code }),
    element('a b><script>', { 'x y': '1', 'onclick=': code }, [text('Strange names')]),
    element('x-evil', {}, []),
  ]
  const target = element('p', { id: 'target' }, [text('Before')])
  const later = [
    { source: 0, adds: [{ parentId: target.id, nextId: null, node: element('script', {}, [text(code)]) }] },
    { source: 0, adds: [{ parentId: target.id, nextId: null, node: element('img', { src: `${evil}-late.png` }) }] },
    {
      source: 0,
      attributes: [
        { id: target.id, attributes: { onclick: code, style: { 'background-image': [`url(${evil}-attr.png)`, ''] } } },
      ],
    },
    { source: 8, id: 8, adds: [{ rule: `p { background: url(${evil}-rule.png) }`, index: 0 }] },
    {
      source: 15,
      id: 99_999,
      styles: [{ styleId: 1, rules: [{ rule: `p{background:url(${evil}-ad.png)}` }] }],
      styleIds: [1],
    },
    { source: 10, family: 'F', fontSource: `url(${evil}.woff)`, buffer: false },
    { source: 9, id: target.id, commands: [{ property: 'constructor', args: [code] }] },
    { source: 5, id: target.id, text: code },
    { source: 0, adds: [{ parentId: '__proto__', nextId: {}, node: null }], removes: [{ id: 99_999 }], texts: 'x' },
    { source: 0, texts: [{ id: target.id, value: 'After' }] },
    { source: 3, id: 99_999, x: Number.MAX_VALUE, y: 'x' },
    { source: 1, positions: [{ x: 1e300, y: null, timeOffset: -1e300 }, null, 7] },
  ]
  return recording(head, [...body, target], later)
}

/** Shows a file as the team's inbox would, and plays it to the end. */
const show = (base64: string) => `(async () => {
  const bytes = Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0))
  stand.replaceChildren()
  const shown = await player.createPlayer(stand, new Blob([bytes]), { external: false })
  for (const place of [0.5, 1, 0, 1]) shown.seek(shown.durationMs * place)
  await new Promise((resolve) => setTimeout(resolve, 300))
})()`

const asFile = (value: unknown, { url }: BundlePage) => {
  const json = typeof value === 'string' ? value : JSON.stringify(value)
  return gzipSync(json.replaceAll('PORT', new URL(url).port)).toString('base64')
}

test('nothing runs, nothing is asked for, nothing leads away', async ({ page, site }) => {
  const violations: string[] = []
  await page.goto(`${site.url}/empty`)
  await page.waitForFunction('window.player')
  site.requested.length = 0
  page.on('framenavigated', (frame) => {
    if (!/^about:(srcdoc|blank)/.test(frame.url())) violations.push(`navigated to ${frame.url()}`)
  })
  page.on('dialog', (dialog) => violations.push(dialog.message()))
  page.on('pageerror', (error) => violations.push(error.message))
  await page.evaluate(show(asFile(attack(), site)))
  const frame = page.frameLocator('#stand iframe')
  // It is there, as text.
  await expect(frame.locator('h1')).toHaveText('<script>top.pwned = true</script>')
  expect(
    await page.evaluate(
      `getComputedStyle(document.querySelector('#stand iframe').contentDocument.querySelector('h1')).color`,
    ),
  ).toBe('rgb(1, 2, 3)')
  await page.evaluate(`{
    const { contentDocument } = document.querySelector('#stand iframe')
    for (const one of contentDocument.querySelectorAll('a, button, h1, input')) one.click()
  }`)
  await page.waitForTimeout(500)
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(site.requested).toEqual([])
  expect(violations).toEqual([])
  expect(page.url()).toBe(`${site.url}/empty`)
  const left = await page.evaluate<string>(
    `document.querySelector('#stand iframe').contentDocument.documentElement.outerHTML`,
  )
  expect(left).not.toMatch(
    /<script|<iframe|<object|<embed|<base|<meta|\son\w+=|javascript:|srcset|evil\.example[^)]*"[^;]*src/i,
  )
})

test('the frame itself refuses scripts and requests, whatever is put into it', async ({ page, site }) => {
  await page.goto(`${site.url}/empty`)
  await page.waitForFunction('window.player')
  site.requested.length = 0
  await page.evaluate(show(asFile(recording([], [element('p', {}, [text('Quiet')])]), site)))
  // Past every list of ours: as if something had slipped through.
  const port = new URL(site.url).port
  const slipped = `{
    const { contentDocument: doc } = document.querySelector('#stand iframe')
    const add = (name, attributes) => doc.body.append(Object.assign(doc.createElement(name), attributes))
    add('script', { textContent: 'top.pwned = true' })
    add('img', { src: '${evil}.png', onerror: 'top.pwned = true' })
    add('link', { rel: 'stylesheet', href: '${evil}.css' })
    add('iframe', { src: '${evil}.html' })
    add('div', { style: 'background: url(${evil}-bg.png)' })
    const link = doc.createElement('a')
    link.href = 'javascript:top.pwned = true'
    doc.body.append(link)
    link.click()
  }`
  await page.evaluate(slipped.replaceAll('PORT', port))
  await page.waitForTimeout(500)
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(site.requested).toEqual([])
  // Outside of the frame the same address arrives: the silence was the frame's.
  await page.evaluate(`new Image().src = '${evil}-control.png'`.replace('PORT', port))
  await expect.poll(() => site.requested).toEqual(['/leak-control.png'])
})

test('files that are no replay, and such as were made to exhaust', async ({ page, site }) => {
  await page.goto(`${site.url}/empty`)
  await page.waitForFunction('window.player')
  const fails = (base64: string) =>
    page.evaluate<string>(`${show(base64)}.then(() => 'shown', (error) => error.message)`)
  const plain = (content: string) => Buffer.from(content).toString('base64')
  expect(await fails(plain('not json'))).toMatch(/JSON/)
  expect(await fails(plain('{}'))).toBe('The replay shows no page.')
  expect(await fails(plain('[null,1,"x",{"type":2}]'))).toBe('The replay shows no page.')
  expect(await fails(gzipSync('[]').subarray(0, 12).toString('base64'))).not.toBe('shown')
  const bomb = gzipSync(Buffer.alloc(60_000_000, 32))
  expect(bomb.length).toBeLessThan(100_000)
  expect(await fails(bomb.toString('base64'))).toBe('The replay is too large.')
  const [opening, ending] = ['{"type":2,"id":3,"tagName":"b","attributes":{},"childNodes":[', ']}']
  const deep = JSON.stringify(recording([], [text('DEEP')])).replace(
    /\{[^{}]*DEEP[^{}]*\}/,
    () => opening.repeat(5000) + ending.repeat(5000),
  )
  expect(await fails(asFile(deep, site))).toBe('shown')
  const adds = Array.from({ length: 20_000 }, (_, index) => ({
    parentId: 500_000 + index + 1,
    nextId: 600_000 + index,
    node: { ...element('i'), id: 500_000 + index },
  }))
  const startedAt = Date.now()
  expect(await fails(asFile(recording([], [], [{ source: 0, adds }]), site))).toBe('shown')
  expect(Date.now() - startedAt).toBeLessThan(10_000)
  expect(await fails(asFile(recording([], [], [{ source: 4, width: -1, height: 1e12 }]), site))).toBe('shown')
})
