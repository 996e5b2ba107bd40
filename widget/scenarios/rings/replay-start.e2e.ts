import { expect, test } from '../fixtures.ts'

test('the last minute is remembered where the project wants it, until the site ends it', async ({
  page,
  host,
  visitor,
}) => {
  host.settings = { ...host.settings, replay: true }
  host.panelSettings = { ...host.panelSettings, replay: true }
  await page.goto(host.pageUrl('rings'))
  await expect(visitor.launcher).toBeVisible()
  const address = `http://127.0.0.1:${host.port}/e/a/${host.settings.build}/replay.js`
  const isRemembered = () =>
    page.evaluate(async (url) => !!(await ((await import(url)) as { take(): Promise<unknown> }).take()), address)
  await expect.poll(isRemembered).toBe(true)
  await page.evaluate(() => window.earshot?.('destroy'))
  expect(await isRemembered()).toBe(false)
})
