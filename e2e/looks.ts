import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

/** The page has nothing wider than itself. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const readExcess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(readExcess).toBeLessThanOrEqual(0)
}

/** Scrolling the document ends where its content ends. */
export async function expectNoBlankScroll(page: Page): Promise<void> {
  const readExcess = () =>
    page.evaluate(() => {
      const { bottom } = document.body.getBoundingClientRect()
      const { scrollHeight } = document.documentElement
      return scrollHeight - Math.max(window.innerHeight, Math.ceil(bottom + window.scrollY))
    })
  await expect.poll(readExcess).toBeLessThanOrEqual(0)
}

/** The examiner of a page, which it loads into the page once: that takes longer than examining. */
export async function openAxe(page: Page): Promise<AxeBuilder> {
  const frames = page.frames().map((frame) => frame.evaluate(() => 'axe' in window).catch(() => false))
  const isThere = (await Promise.all(frames)).every(Boolean)
  // Legacy: within the page itself, not in a second one that would have to load it as well.
  return new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) }).setLegacyMode(true)
}

/** Colours after all transitions: a colour read during one is not the final colour. */
async function expectNoBarriers(page: Page, look: string, rules?: string[]): Promise<void> {
  const listBarriers = async () => {
    const axe = await openAxe(page)
    const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${look}: ${id}: ${html} ${failureSummary}`),
    )
  }
  await expect.poll(listBarriers, { timeout: 5000 }).toEqual([])
}

/** What the page shows now is free of barriers and fits: on desktop and phone, in light and dark. */
export async function expectGoodLooks(page: Page): Promise<void> {
  for (const [name, size] of [
    ['phone', phone],
    ['desktop', desktop],
  ] as const) {
    await page.setViewportSize(size)
    await expectNoSidewaysScroll(page)
    await expectNoBlankScroll(page)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expectNoBarriers(page, `${name}, dark`)
    // Nothing but colours differs.
    await page.emulateMedia({ colorScheme: 'light' })
    await expectNoBarriers(page, `${name}, light`, ['color-contrast'])
  }
}
