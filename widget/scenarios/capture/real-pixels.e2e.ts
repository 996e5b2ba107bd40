import { expect, test } from '@playwright/test'
import { waitForName } from '../wait-for-name.ts'
import { compare, readPicture } from './compare.ts'
import { startSite } from './site.ts'
import type { Trial } from './trial.ts'

declare const trial: Trial

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--auto-accept-this-tab-capture'] })
  },
})

test('exact capture: cropped to this page, masked, without the widget, and the recording ends', async ({ page }) => {
  const site = await startSite()
  site.pages['/pages/own.html'] =
    '<!doctype html><meta charset="utf-8"><body style="margin:0;background:#204060"><div id="open" style="width:300px;height:200px;background:#40c040"></div><input type="password" id="p" style="position:absolute;left:400px;top:100px;width:200px;height:40px" value="secret"><script type="module" src="/t/trial.js"></script>'
  await page.goto(site.pageUrl('own'))
  await waitForName(page, 'trial')
  const shown = readPicture(await page.screenshot({ mask: [page.locator('#p')], maskColor: '#000000' }))
  const { url, stopped } = await page.evaluate(async () => {
    trial.host.shadowRoot?.querySelector('button')?.style.setProperty('visibility', 'visible')
    const tracks: MediaStreamTrack[] = []
    const ask = navigator.mediaDevices.getDisplayMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getDisplayMedia = async (options) => {
      const stream = await ask(options)
      tracks.push(...stream.getTracks())
      return stream
    }
    const { url } = await trial.captureRealPixels()
    return { url, stopped: tracks.map((track) => track.readyState) }
  })
  expect(stopped).toEqual(['ended'])
  expect(compare(shown, readPicture(url))).toBeLessThan(0.02)
  await site.stop()
})
