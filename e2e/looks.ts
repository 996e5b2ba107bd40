import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

declare global {
  interface Window {
    axe: { run(context: Document, options: RunOptions): Promise<AxeResults> }
  }
}

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

/** Its smallest form: it is sent to every page that is examined. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose result depends on colours; everything else is the same in light and dark. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** Loads axe into the page and its frames where it isn't yet: loading takes as long as examining. */
async function loadAxe(page: Page): Promise<void> {
  const [main, ...others] = page.frames().map(async (frame) => {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeSource)
  })
  await main
  // A frame may refuse scripts, or be gone.
  await Promise.allSettled(others)
}

/** Colours after all transitions: a colour read during one is not the final colour. Endless animations do not count. */
async function waitForTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const running = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    // One that is cancelled is over too. One that lasts, such as a countdown, is part of the page.
    const longest = new Promise((resolve) => setTimeout(resolve, 2000))
    await Promise.race([Promise.allSettled(running.map(({ finished }) => finished)), longest])
  })
}

/**
 * What axe finds wrong with a page once it has come to rest, one line per element.
 *
 * The page answers with the violations alone: the whole result is 1 MB, and took longer than finding it.
 *
 * @param rules Default: all.
 */
export async function listBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  await loadAxe(page)
  await waitForTransitions(page)
  return page.evaluate(async (values) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(values && { runOnly: [...values] }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, rules)
}

/** Answers still on their way have five seconds. */
async function expectNoBarriers(page: Page, look: string, rules?: readonly string[]): Promise<void> {
  // The first examination takes as long as it takes on a busy machine.
  if ((await listBarriers(page, rules)).length === 0) return
  await expect.poll(() => listBarriers(page, rules), { message: look, timeout: 5000 }).toEqual([])
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
    await expectNoBarriers(page, `${name}, light`, colorRules)
  }
}
