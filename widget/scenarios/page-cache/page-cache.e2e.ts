import { expect, test } from '../fixtures.ts'

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  },
})

test('is restored from the page cache unchanged', async ({ page, host, visitor }) => {
  await page.goto(host.pageUrl('single-page'))
  await visitor.write('Begun before')
  await page.evaluate(() => Object.assign(window, { mark: 'same page' }))
  await page.goto(host.pageUrl('foreign-host', 'elsewhere.test'))
  await page.goBack({ waitUntil: 'commit' })
  expect(await page.evaluate(() => (window as unknown as { mark?: string }).mark)).toBe('same page')
  await expect(visitor.message).toHaveValue('Begun before')
  await visitor.send.click()
  await visitor.seesReceipt()
  // One page view, told when it went away.
  expect(host.requested.filter((path) => path.endsWith('/n/loaded'))).toHaveLength(1)
})
