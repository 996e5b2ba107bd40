import { gzipSync } from 'node:zlib'
import { test as base, expect } from '@playwright/test'
import type { BundlePage } from '../bundle-page.ts'
import { waitForName } from '../wait-for-name.ts'
import { asFile, attack, element, evil, recording, show, text } from './attack.ts'
import { openSite } from './site.ts'

/*
 * A replay is untrusted. The page that shows it runs none of its code, sends no requests, and continues to work,
 * whatever the replay contains.
 */

const test = base.extend<{ site: BundlePage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  site: async ({}, use) => {
    const site = await openSite()
    await use(site)
    await site.stop()
  },
})

test('nothing runs, nothing is requested, nothing navigates', async ({ page, site }) => {
  const violations: string[] = []
  await page.goto(`${site.url}/empty`)
  await waitForName(page, 'player')
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
  await waitForName(page, 'player')
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

test('refuses files that are no replay, and files made to exhaust memory', async ({ page, site }) => {
  await page.goto(`${site.url}/empty`)
  await waitForName(page, 'player')
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
