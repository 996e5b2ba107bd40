import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test, type Visitor } from '../fixtures.ts'
import type { Host } from '../host.ts'

/** Pictures for the eye, when somebody asks for them: WIDGET_SHOTS=<folder>. */
const shotsFolder = process.env.WIDGET_SHOTS

async function look(page: Page, name: string): Promise<void> {
  if (shotsFolder) await page.screenshot({ path: `${shotsFolder}/${name}.png` })
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
}

/** Walks through every state of the panel and lets `check` look at each. */
async function visitStates(page: Page, host: Host, visitor: Visitor, check: (state: string) => Promise<void>) {
  await page.goto(host.pageUrl('looks'))
  await expect(visitor.launcher).toBeVisible()
  await check('button')
  await visitor.open()
  await check('open')
  await visitor.send.click()
  await check('invalid')
  await visitor.message.fill('The shelf page jumps when I pick a size.\nIt happened twice, on the oak one.')
  await visitor.panel.getByRole('radio', { name: 'Bug' }).check()
  await visitor.panel.getByRole('radio', { name: 'Okay' }).check()
  await check('filled')
  host.replies.push({ status: 403, body: { title: 'This website is not allowed to send to this project.' } })
  await visitor.send.click()
  await expect(visitor.panel.getByText('Not sent', { exact: true })).toBeVisible()
  await check('failed')
  await visitor.panel.getByRole('button', { name: 'Try again' }).click()
  await visitor.seesReceipt()
  await check('sent')
  await visitor.panel.getByRole('button', { name: 'Send another' }).click()
  await expect(visitor.message).toBeFocused()
  await visitor.message.fill('Written on a train')
  await page.context().setOffline(true)
  await visitor.send.click()
  await expect(visitor.panel.getByText('You are offline')).toBeVisible()
  await check('offline')
  await page.context().setOffline(false)
  await visitor.seesReceipt(124)
}

for (const scheme of ['light', 'dark'] as const) {
  test(`has no accessibility violations in any state, ${scheme}`, async ({ page, host, visitor }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await visitStates(page, host, visitor, async (state) => {
      await expectAccessible(page)
      await look(page, `${scheme}-${state}`)
    })
  })
}

for (const color of ['#ffd400', '#0a0a0a', '#ffffff', '#e5484d']) {
  test(`stays readable with the accent ${color}`, async ({ page, host, visitor }) => {
    host.settings = { ...host.settings, color }
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.goto(host.pageUrl('looks'))
      await visitor.open()
      await visitor.panel.getByRole('radio', { name: 'Idea' }).check()
      await visitor.panel.getByRole('radio', { name: 'Very good' }).check()
      await expectAccessible(page)
      await look(page, `accent-${color.slice(1)}-${scheme}`)
    }
  })
}

for (const width of [320, 390]) {
  test(`fits a phone ${width} px wide`, async ({ page, host, visitor }) => {
    await page.setViewportSize({ width, height: width === 320 ? 568 : 844 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await visitStates(page, host, visitor, async (state) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      if (state !== 'button') {
        const box = await visitor.panel.boundingBox()
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
        expect(box?.y).toBeGreaterThanOrEqual(0)
        expect(await visitor.panel.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0)
      }
      await look(page, `phone-${width}-${state}`)
    })
  })
}

test('has targets of at least 40 px', async ({ page, host, visitor }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  await visitor.panel.getByRole('radio', { name: 'Okay' }).check()
  for (const target of await visitor.panel.locator('button, input, textarea').all()) {
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
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('looks'))
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await visitor.write('شكرا جزيلا')
  await expect(visitor.panel).toHaveCSS('direction', 'ltr')
  await expect(visitor.message).toHaveCSS('direction', 'rtl')
  await look(page, 'rtl-page')
})

test('mirrors itself when its language runs from right to left', async ({ page, host, visitor }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  await visitor.panel.evaluate((panel) => {
    panel.setAttribute('dir', 'rtl')
  })
  const title = await visitor.panel.getByRole('heading').boundingBox()
  const close = await visitor.panel.getByRole('button', { name: 'Close' }).boundingBox()
  expect(close?.x).toBeLessThan(title?.x ?? 0)
  expect(await visitor.panel.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0)
  await look(page, 'rtl-panel')
})

test('stands on the left when the project says so', async ({ page, host, visitor }) => {
  host.settings = { ...host.settings, position: 'bottom-left', askRating: false, askEmail: false, label: 'Feedback' }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  expect((await visitor.launcher.boundingBox())?.x).toBe(16)
  expect((await visitor.panel.boundingBox())?.x).toBe(16)
  await expect(visitor.panel.getByRole('textbox')).toHaveCount(1)
  await look(page, 'left')
})

test('can be used in forced colours', async ({ page, host, visitor }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('looks'))
  await visitor.open()
  await visitor.panel.getByRole('radio', { name: 'Idea' }).check()
  await expect(visitor.panel).toHaveCSS('border-style', 'solid')
  await look(page, 'forced-colors')
})
