import { brotliCompressSync } from 'node:zlib'
import { expect, test } from '../fixtures.ts'

/** Bytes of bodies by Brotli: what a visitor who only writes may download, the loader included. */
const maxBytes = 19_712

test('a visitor who only writes makes four requests for code and texts', async ({ page, host, visitor }) => {
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (/\/e\/.*\.js/.test(response.url())) bodies.push(response.body())
  })
  await page.goto(host.pageUrl('plain'))
  await visitor.write('Only words')
  await visitor.send.click()
  await visitor.seesReceipt()

  const names = host.requested.filter((path) => path.endsWith('.js')).map((path) => path.replace(/.*\//, ''))
  expect(names.sort()).toEqual(['actions.js', 'en-v1.js', 'panel.js', `${host.settings.key}.js`].sort())
  const sizes = (await Promise.all(bodies)).map((body) => brotliCompressSync(body).length)
  expect(sizes).toHaveLength(4)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(maxBytes)
})

test('the pointer on a tool loads what it needs, before the click', async ({ page, host, visitor }) => {
  await page.goto(host.pageUrl('plain'))
  await visitor.open()
  await visitor.panel.getByRole('button', { name: 'Screenshot' }).hover()
  await expect
    .poll(() => host.requested.map((path) => path.replace(/.*\//, '')))
    .toEqual(expect.arrayContaining(['tools.js', 'capture.js', 'annotate.js']))
  expect(host.requested.join()).not.toContain('media.js')
})
