import { expect } from '@playwright/test'
import { PNG } from 'pngjs'
import { compare, readPicture } from './compare.ts'
import { draw, findColors, openHtml, test } from './fixtures.ts'
import type { Trial } from './trial.ts'

declare const trial: Trial

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

  test('reach top-layer elements of a masked part', async ({ page, site }) => {
    await openHtml(
      page,
      site,
      '<div data-earshot-mask style="width:300px;height:100px"><dialog id="d" style="background:#ff0000;width:400px;height:200px">Secret</dialog><p id="e" popover="manual" style="background:#ff0000">Secret</p></div><script>d.showModal();e.showPopover()</script>',
    )
    const { picture } = await draw(page)
    expect(findColors(picture, { x: 340, y: 200, width: 600, height: 400 })).not.toContain('ff0000')
  })

  test('and the widget’s own element is never in it', async ({ page, site }) => {
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
