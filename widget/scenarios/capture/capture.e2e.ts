import { readdir } from 'node:fs/promises'
import { test as base, expect, type Page } from '@playwright/test'
import { PNG } from 'pngjs'
import type { Area, Missing } from '#widget/loader/modules.ts'
import { compare, readPicture } from './compare.ts'
import { type Site, startSite } from './site.ts'
import type { Trial } from './trial.ts'

declare const trial: Trial

const test = base.extend<{ complaints: string[] }, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (/Content.Security.Policy|Trusted ?Type/i.test(message.text())) complaints.push(message.text())
      })
      await use(complaints)
    },
    { auto: true },
  ],
})

/** Opens a page that only one test needs. */
async function openHtml(page: Page, site: Site, html: string): Promise<void> {
  site.pages['/pages/own.html'] =
    `<!doctype html><meta charset="utf-8"><title>Own</title>${html}<script nonce="abc" type="module" src="/t/trial.js"></script>`
  await page.goto(site.pageUrl('own'))
  await page.waitForFunction(() => 'trial' in window)
  await page.evaluate(() => trial.settle())
}

async function draw(page: Page, area: 'viewport' | 'page' | { selector: string } = 'viewport', mask: string[] = []) {
  const { url, missing } = await page.evaluate(
    ([area, mask]) => {
      const target = typeof area === 'string' ? area : (document.querySelector(area.selector) as Element)
      return trial.capture(target as Area, mask)
    },
    [area, mask] as const,
  )
  return { picture: readPicture(url), missing: missing as Missing[] }
}

/** Colors within a box, as hex, without those of fewer than 1 in 50 pixels (edges). */
function findColors(picture: PNG, box: { x: number; y: number; width: number; height: number }): string[] {
  const counts = new Map<string, number>()
  for (let y = Math.ceil(box.y); y < Math.floor(box.y + box.height); y++) {
    for (let x = Math.ceil(box.x); x < Math.floor(box.x + box.width); x++) {
      const color = picture.data.subarray((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 3).toString('hex')
      counts.set(color, (counts.get(color) ?? 0) + 1)
    }
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...counts].filter(([, count]) => count > all / 50).map(([color]) => color)
}

test.describe('a picture of the page', () => {
  test.setTimeout(120_000)

  test('is what the browser shows, on 95 % of the corpus within 2 %', async ({ browser, site }) => {
    const files = await readdir(new URL('./pages/', import.meta.url))
    const names = files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -5))
    const differences: Record<string, number> = {}
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme })
      const page = await context.newPage()
      for (const name of names.filter((each) => (each === 'dark') === (colorScheme === 'dark'))) {
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

test.describe('masks', () => {
  const secrets = `<body style="margin:20px;font:20px/30px monospace">
    <input type="password" id="a"><br>
    <input autocomplete="section-blue billing cc-number" id="b" value="4242424242424242"><br>
    <input name="cardNumber" id="c" value="4242424242424242"> <input name="cvc" id="d" value="123"><br>
    <p data-earshot-mask id="e">Secret paragraph with <b style="color:#fff">more</b> in it</p>
    <p>Before <span data-earshot-mask id="f">in a line</span> after</p>
    <table cellspacing="0"><tr data-earshot-mask id="g"><td>cell<td>cell</table>
    <img data-earshot-mask id="h" src="/photo.png" width="100" height="50">
    <div class="private" id="i" style="background:red">by the caller</div>
    <canvas data-earshot-mask id="j" width="80" height="30" style="background:lime"></canvas>
    <x-secret id="k" style="display:block"></x-secret>
    <iframe id="l" style="border:0" width="200" height="60" srcdoc="<body style='margin:0;background:#fff'><div data-earshot-mask style='height:60px;color:red'>inner</div>"></iframe>
    <p id="open">open</p>
    <script>
      a.value = 'hunter2'
      j.getContext('2d').fillRect(0, 0, 10, 10)
      k.attachShadow({ mode: 'open' }).innerHTML = '<div data-earshot-mask style="height:40px;color:red;background:yellow">in the shadow</div>'
    </script>`

  test('blacken secrets, in shadow roots and frames too, and nothing else', async ({ page, site }) => {
    await openHtml(page, site, secrets)
    await page.waitForTimeout(200)
    const { picture } = await draw(page, 'viewport', ['.private', ':::unknown'])
    for (const id of 'abcdefghijkl') {
      const box = await page.locator(`#${id}`).boundingBox()
      if (!box) throw new Error(`#${id} has no box`)
      const inset = 'abcd'.includes(id) ? 4 : 1
      const inner = { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset }
      expect(findColors(picture, inner), `#${id}`).toEqual(['000000'])
    }
    const shown = readPicture(await page.screenshot())
    const open = await page.locator('#open').boundingBox()
    if (!open) throw new Error('no box')
    const crop = (whole: PNG) => {
      const part = new PNG({ width: 200, height: 30 })
      PNG.bitblt(whole, part, Math.round(open.x), Math.round(open.y), 200, 30, 0, 0)
      return part
    }
    expect(compare(crop(shown), crop(picture))).toBeLessThan(0.02)
  })

  test('reach what a masked part of the page shows above the page', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      '<div data-earshot-mask style="width:300px;height:100px"><dialog id="d" style="background:#ff0000;width:400px;height:200px">Secret</dialog><p id="e" popover="manual" style="background:#ff0000">Secret</p></div><script>d.showModal();e.showPopover()</script>',
    )
    const { picture } = await draw(page)
    expect(findColors(picture, { x: 340, y: 200, width: 600, height: 400 })).not.toContain('ff0000')
  })

  test('and our own element is never in it', async ({ page, site }) => {
    await openHtml(page, site, '<body style="background:#123456">')
    await page.evaluate(() => {
      const button = trial.host.shadowRoot?.querySelector('button')
      button?.style.setProperty('visibility', 'visible')
    })
    expect(findColors(readPicture(await page.screenshot()), { x: 0, y: 0, width: 1280, height: 800 })).toContain(
      '123456',
    )
    const { picture } = await draw(page)
    expect(new Set(findColors(picture, { x: 1100, y: 700, width: 180, height: 100 }))).toEqual(new Set(['123456']))
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

test.describe('what cannot be drawn is named', () => {
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

test.describe('pointing at an element', () => {
  const html = `<body style="margin:0"><main id="main" style="padding:40px"><ul id="list"><li id="one">One<li id="two">Two<li id="three">Three</ul><button id="buy">Buy</button></main>
    <script>window.clicks = []; for (const type of ['pointerdown', 'mousedown', 'click', 'keydown']) document.addEventListener(type, (event) => clicks.push(event.type))</script>`
  const heard = (page: Page) => page.evaluate(() => (window as unknown as { clicks: string[] }).clicks)

  test('by mouse, without a click on the page', async ({ page, site }) => {
    await openHtml(page, site, html)
    const picked = page.evaluate(() => trial.pick())
    await expect(page.getByRole('application', { name: 'Point at what you mean' })).toBeFocused()
    const box = await page.locator('#buy').boundingBox()
    if (!box) throw new Error('no button')
    await page.mouse.move(box.x + 5, box.y + 5)
    await expect(page.getByRole('status')).toHaveText('button Buy')
    await page.mouse.click(box.x + 5, box.y + 5)
    expect(await picked).toBe('buy')
    await expect(page.getByRole('application')).toHaveCount(0)
    expect(await heard(page)).toEqual([])
    await page.waitForTimeout(350)
    await page.locator('#buy').click()
    expect(await heard(page)).toEqual(['pointerdown', 'mousedown', 'click'])
  })

  test('by keyboard, from one to the next, and out again', async ({ page, site }) => {
    await openHtml(page, site, html)
    const picked = page.evaluate(() => trial.pick())
    await expect(page.getByRole('application')).toBeFocused()
    await page.mouse.move(60, 62)
    for (const key of [
      'ArrowUp',
      'ArrowUp',
      'ArrowUp',
      'ArrowDown',
      'ArrowDown',
      'ArrowRight',
      'ArrowLeft',
      'ArrowDown',
    ])
      await page.keyboard.press(key)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('status')).toHaveText(/./)
    await page.keyboard.press('Enter')
    expect(['one', 'two', 'list', 'main', 'buy']).toContain(await picked)
    const given = page.evaluate(() => trial.pick())
    await expect(page.getByRole('application')).toBeFocused()
    await page.keyboard.press('Escape')
    expect(await given).toBeUndefined()
    expect(await heard(page)).toEqual([])
  })

  test('by touch', async ({ browser, site }) => {
    const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 700 } })
    const page = await context.newPage()
    await openHtml(page, site, html)
    const picked = page.evaluate(() => trial.pick())
    await expect(page.getByRole('application')).toBeFocused()
    const box = await page.locator('#two').boundingBox()
    if (!box) throw new Error('no item')
    await page.touchscreen.tap(box.x + 5, box.y + 5)
    expect(await picked).toBe('two')
    expect(await heard(page)).toEqual([])
    await context.close()
  })
})
