import type { Page } from '@playwright/test'
import { widgetLocales } from '#contract/widget-settings.ts'
import { colorRules, listBarriers } from '../../../e2e/looks.ts'
import { expect, test } from '../fixtures.ts'
import { everyField, visitStates } from './states.ts'

/** Screenshots for a look by eye, on demand: WIDGET_SHOTS=<folder>. */
const shotsFolder = process.env.WIDGET_SHOTS

test.use({
  permissions: ['microphone'],
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream'] }),
})

async function look(page: Page, name: string): Promise<void> {
  if (shotsFolder) await page.screenshot({ path: `${shotsFolder}/${name}.png` })
}

async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  expect(await listBarriers(page, rules)).toEqual([])
}

/** Nothing sticks out of the panel, nor the panel out of the window. */
async function expectToFit(page: Page): Promise<void> {
  const sizes = await page.locator('.box').evaluate((box) => {
    const { left, right, top, bottom } = box.getBoundingClientRect()
    const outside = Math.max(0, -left, -top, right - innerWidth, bottom - innerHeight)
    return { outside, wider: box.scrollWidth - box.clientWidth }
  })
  expect(sizes).toEqual({ outside: 0, wider: 0 })
}

for (const [direction, locale] of [
  ['LTR', 'en'],
  ['RTL', 'he'],
] as const) {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 320, height: 568 },
  ]) {
    test(`every state is accessible and fits, light and dark, ${direction}, ${size.width} px`, async ({
      page,
      host,
    }) => {
      test.setTimeout(180_000)
      host.settings = { ...host.settings, locale }
      await page.setViewportSize(size)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await visitStates(page, host, async (state) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          // Nothing but colours differs.
          await expectAccessible(page, colorScheme === 'dark' ? colorRules : undefined)
          await look(page, `${colorScheme}-${direction}-${size.width}-${state}`)
        }
        if (state !== 'button' && state !== 'editor') await expectToFit(page)
      })
    })
  }
}

for (const color of ['#ffd400', '#0a0a0a', '#ffffff']) {
  test(`stays readable with the accent ${color}`, async ({ page, host, visitor }) => {
    const isDark = color === '#0a0a0a'
    const colors = { fill: color, ink: isDark ? '#fff' : '#000', light: isDark ? color : '#6b5900', dark: '#ffd400' }
    host.panelSettings = { ...host.panelSettings, colors }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(host.pageUrl('looks'))
    await visitor.open()
    await visitor.panel.getByRole('radio', { name: 'Idea' }).check()
    await visitor.panel.getByRole('radio', { name: 'Very good' }).check()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, colorScheme === 'dark' ? colorRules : undefined)
      await look(page, `accent-${color.slice(1)}-${colorScheme}`)
    }
  })
}

for (const locale of widgetLocales) {
  test(`speaks ${locale}, and nothing sticks out`, async ({ page, host }) => {
    host.settings = { ...host.settings, locale }
    host.panelSettings = { ...host.panelSettings, ...everyField }
    await page.setViewportSize({ width: 320, height: 568 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(host.pageUrl('looks'))
    await page.locator('.go').click()
    const box = page.locator('.box')
    await expect(box).toHaveAttribute('lang', locale)
    await expect(box).toHaveCSS('direction', ['ar', 'he'].includes(locale) ? 'rtl' : 'ltr')
    await page.locator('form .main').click()
    await page.locator('.tools [aria-expanded]').click()
    await expectToFit(page)
    const cut = await box
      .locator('button, legend:not(.hidden), label:not(.hidden)')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent))
    expect(cut).toEqual([])
    await look(page, `locale-${locale}`)
  })
}

test('has targets of at least 40 px, and a name for each', async ({ page, host, visitor }) => {
  host.panelSettings = { ...host.panelSettings, ...everyField }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  await visitor.panel.getByRole('radio', { name: '7', exact: true }).check()
  await visitor.panel.getByRole('button', { name: 'Screen recording' }).click()
  for (const target of await visitor.panel
    .locator('button, textarea, select, .field > input, label:has(input)')
    .all()) {
    const box = await target.boundingBox()
    const name = await target.evaluate((element) => element.outerHTML.slice(0, 80))
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(40)
  }
})

test('keeps its own direction on a right-to-left page, and takes right-to-left text', async ({
  page,
  host,
  visitor,
}) => {
  await page.goto(host.pageUrl('looks'))
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await visitor.write('شكرا جزيلا')
  await expect(visitor.panel).toHaveCSS('direction', 'ltr')
  await expect(visitor.message).toHaveCSS('direction', 'rtl')
})

for (const position of ['bottom-left', 'top-right', 'middle-left'] as const) {
  test(`opens at ${position}`, async ({ page, host, visitor }) => {
    const [edge = '', side = ''] = position.split('-')
    const style = `${side}:24px;${edge === 'middle' ? 'top:calc(50% - 22px)' : `${edge}:24px`};color:#fff;background:#3056d3`
    host.settings = { ...host.settings, style }
    host.panelSettings = { ...host.panelSettings, position, offset: 24 }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(host.pageUrl('looks'))
    await visitor.open()
    const box = await visitor.panel.boundingBox()
    const at = { left: box?.x ?? 0, right: 1280 - (box?.x ?? 0) - (box?.width ?? 0) }
    expect(at[side as 'left']).toBeCloseTo(24, 0)
    await expectToFit(page)
    await look(page, position)
  })
}

test('wears the colours of the site whatever the system says', async ({ page, host, visitor }) => {
  host.settings = { ...host.settings, theme: 'dark' }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  await expect(visitor.panel).toHaveCSS('color-scheme', 'dark')
  await page.evaluate(() => window.earshot?.('setTheme', 'light'))
  await expect(visitor.panel).toHaveCSS('color-scheme', 'light')
})

test('can be used in forced colours, and at 200 % zoom', async ({ page, host, visitor }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  await visitor.panel.getByRole('radio', { name: 'Idea' }).check()
  await expect(visitor.panel).toHaveCSS('border-style', 'solid')
  await expectToFit(page)
  await visitor.message.fill('Seen')
  await visitor.send.click()
  await visitor.seesReceipt()
  await look(page, 'forced-colors')
})
