import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { build } from 'esbuild'
import { listBarriers } from '../../../e2e/looks.ts'
import { type BundlePage, serveBundles } from '../bundle-page.ts'
import { collectComplaints } from '../complaints.ts'
import { openSite, startReplay, takeReplay } from './site.ts'

/** The team's player, alone on a page under the policy of the app. Its looks are the app's and not looked at here. */
async function openInbox(replay: string): Promise<BundlePage> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
    stdin: {
      contents: `
        import { createRoot } from 'react-dom/client'
        import ReplayPlayer from '#web/features/feedback/item/replay-player.tsx'
        const url = new URLSearchParams(location.search).get('url')
        createRoot(document.getElementById('root')).render(<ReplayPlayer url={url} context={{}} />)
      `,
      loader: 'tsx',
      resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  const policy =
    "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  const html =
    '<!doctype html><html lang="en"><head><title>Item</title></head><body><main><h1>Item</h1><div id="root"></div></main><script type="module" src="/app.js"></script></body></html>'
  return serveBundles(
    {},
    {
      '/': { body: html, headers: { 'content-security-policy': policy } },
      '/app.js': { body: outputFiles[0]?.text ?? '', headers: { 'content-type': 'text/javascript' } },
      '/replay': { body: replay, headers: { 'content-type': 'application/json' } },
      '/blank': { body: '[]' },
      '/damaged': { body: 'PK\u0003\u0004' },
    },
  )
}

const test = base.extend<{ complaints: string[] }, { inbox: BundlePage }>({
  // Its length is 5.6 seconds on every machine: the visitor's clock stands still but for those.
  inbox: [
    async ({ browser }, use) => {
      const site = await openSite()
      const visitor = await browser.newPage()
      await visitor.clock.install()
      await visitor.goto(site.url)
      await startReplay(visitor)
      await visitor.clock.pauseAt(await visitor.evaluate(() => Date.now() + 100))
      for (let n = 0; n < 3; n++) await visitor.click('#add')
      await visitor.clock.runFor(5000)
      await visitor.click('#add')
      await visitor.clock.runFor(600)
      const taken = await takeReplay(visitor)
      await visitor.close()
      await site.stop()
      const inbox = await openInbox(taken?.json ?? '')
      await use(inbox)
      await inbox.stop()
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints = collectComplaints(page)
      await use(complaints)
      expect(complaints, 'errors and policy violations').toEqual([])
    },
    { auto: true },
  ],
})

test('plays, seeks by keyboard, changes speed, skips idle time', async ({ page, inbox }) => {
  await page.goto(`${inbox.url}/?url=/replay`)
  const player = page.getByRole('group', { name: 'Replay' })
  const rows = player.frameLocator('iframe').locator('.row')
  const slider = player.getByRole('slider', { name: 'Position' })
  await expect(player.getByRole('button', { name: 'Play' })).toBeEnabled()
  // At its first moment, at rest.
  await expect(rows).toHaveCount(1)
  await expect(slider).toHaveAttribute('aria-valuetext', /^0:00 of 0:0[56]$/)
  await slider.press('End')
  await expect(rows).toHaveCount(5)
  await slider.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', /^0:0[01] of/)
  await slider.press('Home')
  await expect(rows).toHaveCount(1)
  // Space plays from the slider, too.
  await slider.press(' ')
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await slider.press(' ')
  await expect(player.getByRole('button', { name: 'Play' })).toBeVisible()
  await slider.press('Home')
  // Five idle seconds are jumped over.
  const skip = player.getByRole('button', { name: 'Skip idle time' })
  await expect(skip).toHaveAttribute('aria-pressed', 'true')
  const startedAt = Date.now()
  await player.getByRole('button', { name: 'Play' }).click()
  await expect(rows).toHaveCount(5)
  await expect(player.getByRole('button', { name: 'Play' })).toBeVisible()
  expect(Date.now() - startedAt).toBeLessThan(4500)
  await skip.click()
  await expect(skip).toHaveAttribute('aria-pressed', 'false')
  await player.getByRole('button', { name: 'Speed 1×' }).click()
  await expect(player.getByRole('button', { name: 'Speed 2×' })).toBeVisible()
  expect(await listBarriers(page)).toEqual([])
})

test('says what is wrong, and tries again', async ({ page, inbox }) => {
  await page.goto(`${inbox.url}/?url=/blank`)
  await expect(page.getByRole('status')).toContainText('The file contains no recording of the page.')
  await page.goto(`${inbox.url}/?url=/damaged`)
  await expect(page.getByRole('alert')).toContainText('The file is damaged or not a replay.')
  await expect(page.getByRole('button', { name: 'Play' })).toBeDisabled()
  await page.route(`${inbox.url}/replay`, (route) => route.abort(), { times: 1 })
  await page.goto(`${inbox.url}/?url=/replay`)
  await expect(page.getByRole('alert')).toContainText('Couldn’t load the file.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Play' })).toBeEnabled()
  expect(await listBarriers(page)).toEqual([])
})
