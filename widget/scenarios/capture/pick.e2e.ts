import { expect, type Page } from '@playwright/test'
import { openHtml, test } from './fixtures.ts'
import type { Trial } from './trial.ts'

declare const trial: Trial

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
