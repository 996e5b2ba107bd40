import { expect, test } from '@playwright/test'
import { launchFirefox, launchWebKit } from '../../../bench/harness/other-browsers.ts'
import { asFile, attack, show } from './attack.ts'
import { openSite } from './site.ts'

const isLoaded = `new Promise((resolve) => {
  const timer = setInterval(() => { if (window.player) resolve(clearInterval(timer)) }, 50)
})`

/** Records the shop, shows it as to the visitor, and goes to its end. */
const recordAndShow = `(async () => {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const violations = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))
  replay.start(stage)
  while (!own.dataset.earshotMask && own.dataset.earshotMask !== '') await wait(50)
  for (let n = 0; n < 2; n++) document.getElementById('add').click()
  await wait(700)
  const stand = document.createElement('div')
  stand.style.width = '420px'
  document.querySelector('h1').before(stand)
  await replay.preview(stand, await replay.take(), { play: 'Resume', pause: 'Pause', position: 'Position' })
  const slider = stand.querySelector('input')
  slider.value = slider.max
  slider.dispatchEvent(new Event('input'))
  const page = stand.querySelector('iframe').contentDocument
  const rows = [...page.querySelectorAll('.row')]
  return {
    mode: page.compatMode,
    rows: rows.map((row) => row.textContent),
    price: page.defaultView.getComputedStyle(rows[2].querySelector('.price')).color,
    violations,
  }
})()`

for (const launch of [launchFirefox, launchWebKit]) {
  test(`records, shows and refuses the same: ${launch.name.slice('launch'.length)}`, async () => {
    const browser = await launch(1000, 700)
    if (!browser) return console.log(`${launch.name.slice('launch'.length)} is not installed: nothing was checked`)
    const site = await openSite()
    try {
      for (const path of ['/', '/strict']) {
        await browser.open(`${site.url}${path}`)
        await browser.evaluate(isLoaded)
        expect(await browser.evaluate(recordAndShow)).toEqual({
          mode: 'CSS1Compat',
          rows: ['Jar 11.50', 'Jar 22.50', 'Jar 33.50'],
          price: 'rgb(200, 0, 80)',
          violations: [],
        })
      }
      await browser.open(`${site.url}/empty`)
      await browser.evaluate(isLoaded)
      site.requested.length = 0
      // Leads nowhere by name in these browsers: by number it is the same server.
      await browser.evaluate(show(asFile(JSON.stringify(attack()).replaceAll('evil.example', '127.0.0.1'), site)))
      const left = await browser.evaluate<[string | undefined, string, string]>(`(async () => {
        const page = document.querySelector('#stand iframe').contentDocument
        for (const one of page.querySelectorAll('a, button, h1, input')) one.click?.()
        await new Promise((resolve) => setTimeout(resolve, 500))
        return [window.pwned, location.pathname, page.querySelector('h1').textContent]
      })()`)
      expect(left).toEqual([null, '/empty', '<script>top.pwned = true</script>'])
      expect(site.requested).toEqual([])
    } finally {
      await browser.close()
      await site.stop()
    }
  })
}
