import { test as base, type Page } from '@playwright/test'
import type { PNG } from 'pngjs'
import type { PictureGap } from '#contract/files.ts'
import type { Area } from '#widget/loader/modules.ts'
import { collectComplaints } from '../complaints.ts'
import { waitForName } from '../wait-for-name.ts'
import { readPicture } from './compare.ts'
import { type Site, startSite } from './site.ts'
import type { Trial } from './trial.ts'

declare const trial: Trial

export const test = base.extend<{ complaints: string[] }, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints = collectComplaints(page)
      await use(complaints)
    },
    { auto: true },
  ],
})

/** Opens a page that only one test needs. */
export async function openHtml(page: Page, site: Site, html: string): Promise<void> {
  site.pages['/pages/own.html'] =
    `<!doctype html><meta charset="utf-8"><title>Own</title>${html}<script nonce="abc" type="module" src="/t/trial.js"></script>`
  await page.goto(site.pageUrl('own'))
  await waitForName(page, 'trial')
  await page.evaluate(() => trial.settle())
}

/** Takes a picture as the widget does. */
export async function draw(
  page: Page,
  area: 'viewport' | 'page' | { selector: string } = 'viewport',
  mask: string[] = [],
) {
  const { url, missing } = await page.evaluate(
    ([area, mask]) => {
      const target = typeof area === 'string' ? area : (document.querySelector(area.selector) as Element)
      return trial.capture(target as Area, mask)
    },
    [area, mask] as const,
  )
  return { picture: readPicture(url), missing: missing as PictureGap[] }
}

/** Colors within a box, as hex, without those of fewer than 1 in 50 pixels (edges). */
export function findColors(picture: PNG, box: { x: number; y: number; width: number; height: number }): string[] {
  const counts = new Map<string, number>()
  for (let y = Math.ceil(box.y); y < Math.floor(box.y + box.height); y++) {
    for (let x = Math.ceil(box.x); x < Math.floor(box.x + box.width); x++) {
      const color = picture.data.subarray((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 3).toString('hex')
      counts.set(color, (counts.get(color) ?? 0) + 1)
    }
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...counts].filter(([, count]) => count > all / 50).map(([color]) => color)
}
