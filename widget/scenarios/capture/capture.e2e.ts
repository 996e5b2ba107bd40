import { readdir } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { PNG } from 'pngjs'
import { compare, readPicture } from './compare.ts'
import { draw, findColors, openHtml, test } from './fixtures.ts'
import type { Trial } from './trial.ts'

declare const trial: Trial

test.describe('a picture of the page', () => {
  test.setTimeout(120_000)

  test('is what the browser shows, on 95 % of the corpus within 2 %', async ({ browser, site }) => {
    const files = await readdir(new URL('./pages/', import.meta.url))
    // Pages that follow the visitor's scheme are drawn in the dark.
    const isNight = (name: string) => name.startsWith('dark')
    const names = files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -5))
    const differences: Record<string, number> = {}
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme })
      const page = await context.newPage()
      for (const name of names.filter((each) => isNight(each) === (colorScheme === 'dark'))) {
        await page.goto(site.pageUrl(name))
        await page.addScriptTag({ url: '/t/trial.js', type: 'module' })
        await page.evaluate(() => trial.settle())
        await page.mouse.move(name === 'states' ? 80 : 1279, name === 'states' ? 100 : 799)
        const shown = readPicture(await page.screenshot())
        const { picture, missing } = await draw(page)
        expect(missing, name).toEqual([])
        differences[name] = compare(shown, picture)
      }
      await context.close()
    }
    const far = Object.entries(differences).filter(([, part]) => part > 0.02)
    expect(names.length).toBeGreaterThanOrEqual(30)
    expect(far.length, JSON.stringify(far)).toBeLessThanOrEqual(names.length * 0.05)
    expect(Math.max(...Object.values(differences)), JSON.stringify(far)).toBeLessThan(0.04)
  })

  test('is exact where images follow other rules than pages: quirks, attributes without case, glass, highlights', async ({
    page,
    site,
  }) => {
    for (const name of ['quirks', 'case', 'glass', 'highlights']) {
      await page.goto(site.pageUrl(name))
      await page.addScriptTag({ url: '/t/trial.js', type: 'module' })
      await page.evaluate(() => trial.settle())
      const shown = readPicture(await page.screenshot())
      const { picture } = await draw(page)
      expect(compare(shown, picture), name).toBeLessThan(0.001)
    }
  })

  test('has as many pixels as the screen', async ({ browser, site }) => {
    const context = await browser.newContext({ deviceScaleFactor: 2, viewport: { width: 600, height: 400 } })
    const page = await context.newPage()
    await page.goto(site.pageUrl('dashboard'))
    await page.addScriptTag({ url: '/t/trial.js', type: 'module' })
    await page.evaluate(() => trial.settle())
    const shown = readPicture(await page.screenshot())
    const { picture } = await draw(page)
    expect([picture.width, picture.height]).toEqual([1200, 800])
    expect(compare(shown, picture)).toBeLessThan(0.02)
    await context.close()
  })
})

test.describe('areas', () => {
  test('the full page, from its beginning, whatever is in sight', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      '<body style="margin:0"><div style="height:1500px;background:#ff0000"></div><div style="height:100vh;background:#0000ff"></div><div style="height:1500px;background:#00ff00"></div>',
    )
    await page.evaluate(() => scrollTo(0, 2000))
    const { picture } = await draw(page, 'page')
    expect([picture.width, picture.height]).toEqual([1280, 3800])
    expect(findColors(picture, { x: 0, y: 0, width: 1280, height: 1500 })).toEqual(['ff0000'])
    expect(findColors(picture, { x: 0, y: 1500, width: 1280, height: 800 })).toEqual(['0000ff'])
    expect(findColors(picture, { x: 0, y: 2300, width: 1280, height: 1500 })).toEqual(['00ff00'])
    expect(await page.evaluate(() => scrollY)).toBe(2000)
  })

  test('a page too tall for a canvas is drawn smaller', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      '<body style="margin:0"><div style="height:40000px;background:linear-gradient(red,blue)"></div>',
    )
    const { picture } = await draw(page, 'page')
    expect(picture.height).toBe(16384)
    expect(picture.width).toBe(Math.round((1280 * 16384) / 40000))
    expect(findColors(picture, { x: 0, y: 16300, width: 500, height: 80 })[0]).toMatch(/^0[0-2]00f/)
  })

  test('a single element, in sight or far below', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      '<body style="margin:40px"><div id="near" style="width:120px;height:60px;background:#00ff00"></div><div style="height:3000px"></div><div id="far" style="width:300px;height:900px;background:#0000ff"></div>',
    )
    const near = await draw(page, { selector: '#near' })
    expect([near.picture.width, near.picture.height]).toEqual([120, 60])
    expect(findColors(near.picture, { x: 0, y: 0, width: 120, height: 60 })).toEqual(['00ff00'])
    const far = await draw(page, { selector: '#far' })
    expect([far.picture.width, far.picture.height]).toEqual([300, 900])
    expect(findColors(far.picture, { x: 0, y: 0, width: 300, height: 900 })).toEqual(['0000ff'])
  })
})

test.describe('content that cannot be drawn is named', () => {
  test('images without CORS, foreign frames, tainted canvases, protected films', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      `<img src="${site.otherOrigin}/no-cors/photo.png" width="100" height="60">
      <iframe src="${site.otherOrigin}/parts/frame.html"></iframe><canvas id="c"></canvas><video id="v" width="100" height="60"></video>
      <script>
        window.ready = new Promise((resolve) => {
          const image = new Image()
          image.onload = () => { c.getContext('2d').drawImage(image, 0, 0); resolve() }
          image.src = '${site.otherOrigin}/no-cors/photo.png'
        })
      </script>`,
    )
    const { missing, picture } = await draw(page)
    expect([...missing].sort()).toEqual(['canvas', 'frames', 'images', 'video'])
    expect(picture.width).toBe(1280)
  })

  test('closed shadow roots, and the controls of a player', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      `<closed-part style="display:block;height:100px"></closed-part><open-part></open-part><video controls width="100" height="60"></video>
      <script>
        for (const mode of ['closed', 'open']) {
          customElements.define(mode + '-part', class extends HTMLElement {
            constructor() {
              super()
              this.attachShadow({ mode }).append('Words')
            }
          })
        }
      </script>`,
    )
    const { missing } = await draw(page)
    expect([...missing].sort()).toEqual(['parts', 'video'])
  })

  test('a sheet that cannot be read leaves the work to the other engine', async ({ page, site }) => {
    site.pages['/sheet.css'] = 'h1 { color: #0000ff; background: #00ff00; margin: 0 }'
    await openHtml(
      page,
      site,
      `<link rel="stylesheet" href="${site.otherOrigin}/no-cors/sheet.css"><body style="margin:0"><h1>Words</h1><input type="password" id="p" style="position:absolute;left:100px;top:100px;width:200px;height:40px" value="secret">`,
    )
    site.requested.length = 0
    const { picture, missing } = await draw(page)
    expect(missing).toEqual(['styles'])
    expect(site.requested).toContain('/t/snapdom.js')
    expect(findColors(picture, { x: 400, y: 2, width: 400, height: 30 })).toEqual(['00ff00'])
    expect(findColors(picture, { x: 102, y: 102, width: 190, height: 36 })).toEqual(['000000'])
  })

  test('a sheet of another origin that allows it is read again', async ({ page, site }) => {
    site.pages['/sheet.css'] = 'body { background: #00ff00 }'
    await openHtml(page, site, `<link rel="stylesheet" href="${site.otherOrigin}/cors/sheet.css"><h1>Words</h1>`)
    site.requested.length = 0
    const { picture, missing } = await draw(page)
    expect(missing).toEqual([])
    expect(site.requested).not.toContain('/t/snapdom.js')
    expect(findColors(picture, { x: 400, y: 200, width: 400, height: 100 })).toEqual(['00ff00'])
  })
})

test.describe('strict policies', () => {
  const policy = (images: string) =>
    `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'nonce-abc'; connect-src 'self'; img-src ${images}; require-trusted-types-for 'script'`
  const html =
    '<style nonce="abc">body { background: #00ff00; margin: 0 }</style><img src="/photo.png" width="100" height="100">'

  test('are kept, and the page is drawn', async ({ page, site, complaints }) => {
    site.headers['/pages/own.html'] = { 'content-security-policy': policy("'self' data:") }
    await openHtml(page, site, html)
    const { picture, missing } = await draw(page)
    expect(missing).toEqual([])
    expect(findColors(picture, { x: 400, y: 200, width: 400, height: 100 })).toEqual(['00ff00'])
    expect(findColors(picture, { x: 0, y: 0, width: 100, height: 100 })).not.toContain('00ff00')
    expect(complaints).toEqual([])
    delete site.headers['/pages/own.html']
  })

  test('without data: the visitor is not kept waiting', async ({ page, site }) => {
    site.headers['/pages/own.html'] = { 'content-security-policy': policy("'self'") }
    await openHtml(page, site, html)
    site.requested.length = 0
    const ms = await page.evaluate(async () => {
      const startedAt = performance.now()
      return trial.capture().then(
        () => undefined,
        () => performance.now() - startedAt,
      )
    })
    expect(ms).toBeLessThan(500)
    expect(site.requested).not.toContain('/t/snapdom.js')
    delete site.headers['/pages/own.html']
  })
})

test.describe('form controls', () => {
  const box = 'width:60px;height:60px;margin:0;position:absolute;top:20px;accent-color:#00aa00'
  const bar = 'width:200px;height:60px;position:absolute;top:120px;accent-color:#00aa00'

  test('show their present state, whatever the browser shows in images', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      `<input type="checkbox" id="a" style="${box};left:0"><input type="checkbox" checked id="b" style="${box};left:100px">
      <input type="radio" checked id="c" style="${box};left:200px"><progress value=".5" style="${bar};left:0"></progress>
      <meter low="3" high="8" max="10" optimum="1" value="9" style="${bar};left:300px"></meter>
      <script>a.checked = true; b.checked = false</script>`,
    )
    const { picture, missing } = await draw(page)
    expect(missing).toEqual([])
    const colors = (x: number, y: number, width: number) => findColors(picture, { x, y, width, height: 10 })
    expect(colors(5, 25, 50)).toEqual(['00aa00'])
    expect(colors(105, 45, 50)).toEqual(['ffffff'])
    expect(colors(225, 45, 10)).toEqual(['00aa00'])
    expect(colors(20, 145, 70)).toEqual(['00aa00'])
    expect(colors(110, 145, 70)).not.toContain('00aa00')
    // Far from the best part of its range.
    expect(colors(320, 145, 130)).toEqual(['d83b01'])
    expect(site.requested).toContain('/t/rare.js')
  })

  test('have the size and the place that the browser gives them', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      '<p style="font:20px sans-serif">Words <input type="checkbox" checked id="a"> <input type="radio" id="b"> words</p>',
    )
    const place = { width: 300, height: 70 }
    const shown = readPicture(await page.screenshot({ clip: { x: 0, y: 0, ...place } }))
    const { picture } = await draw(page)
    const area = new PNG(place)
    PNG.bitblt(picture, area, 0, 0, place.width, place.height)
    // The edges of two boxes; without the boxes it is 1 %.
    expect(compare(shown, area)).toBeLessThan(0.004)
  })

  test('drawn by the page itself stay as they are, and pages without controls load nothing for them', async ({
    page,
    site,
  }) => {
    site.requested.length = 0
    await openHtml(
      page,
      site,
      `<style>input { appearance: none; margin: 0; width: 60px; height: 60px; background: #0000ff } input:checked { background: #00ff00 }</style>
      <body style="margin:0"><input type="checkbox" checked>`,
    )
    const { picture } = await draw(page)
    expect(findColors(picture, { x: 0, y: 0, width: 60, height: 60 })).toEqual(['00ff00'])
    expect(site.requested).not.toContain('/t/rare.js')
  })
})

test('the page is as it was', async ({ page, site }) => {
  for (const name of ['components', 'sticky', 'scrollers', 'animations', 'images']) {
    await page.goto(site.pageUrl(name))
    await page.addScriptTag({ url: '/t/trial.js', type: 'module' })
    await page.evaluate(() => trial.settle())
    await page.locator('body').evaluate(() => {
      document.body.tabIndex = -1
      document.body.focus()
    })
    await page.waitForTimeout(100)
    const seen = await page.evaluate(async () => {
      const changes: string[] = []
      const observer = new MutationObserver((records) => {
        for (const { type, target } of records) changes.push(`${type} of ${target.nodeName}`)
      })
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
      for (const type of ['scroll', 'focus', 'blur', 'resize']) {
        window.addEventListener(type, (event) => changes.push(event.type), true)
      }
      const define = customElements.get('my-tile')
      if (define) {
        Object.assign(define.prototype, {
          connectedCallback: () => changes.push('connected'),
          disconnectedCallback: () => changes.push('disconnected'),
        })
      }
      await trial.capture()
      await new Promise((resolve) => setTimeout(resolve, 100))
      observer.disconnect()
      return changes
    })
    expect(seen, name).toEqual([])
  }
})
