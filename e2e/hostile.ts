import type { Locator, Page } from '@playwright/test'
import { expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'

/*
 * What people write who mean harm, or whose writing is none that a screen expects, and how to tell that it did none.
 */
export const markup =
  '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><svg/onload=window.hacked=3>{{7*7}}</textarea><!--'
export const zalgo = 'Z\u0351\u036b\u0343\u032a\u0302\u036b\u033d\u034f\u0334\u0319\u0324'.repeat(40)
const markdown = '# Big\n![x](javascript:alert(1)) [click](javascript:window.hacked=4) **bold** `code` | a | b |'
const turned = 'Turned \u202egnp.exe\u202c \u2066isolated\u2069 \u202dleft\u202c and never closed \u202e'

/** Texts for one field, each with a name; none longer than the field takes. */
export function listHostile(maxLength: number): [name: string, text: string][] {
  return [
    ['markup', `${markup} ${markdown} javascript:window.hacked=5`],
    ['endless', 'W'.repeat(maxLength)],
    ['turned', `שלום, הכפתור ${turned} מרحبا`],
    ['zalgo', zalgo],
  ].map(([name = '', text = '']) => [name, cutText(text, maxLength)])
}

/** The beginning, in characters as a reader counts code points. */
export const cutText = (text: string, maxLength: number) => [...text].slice(0, maxLength).join('').trim()

/** Nothing that was written became part of the page. */
export async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  const planted = page
    .locator('body')
    .locator('[src="x"], iframe, [onerror], [onload], [onmouseover], main b, main script')
  await expect(planted).toHaveCount(0)
  // A visitor's link opens a page or an email draft.
  const targets = await page
    .locator('body a')
    .evaluateAll((links) => links.map((link) => Reflect.get(link, 'protocol')))
  expect([...new Set(targets)].filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
}

/** Nothing in the part of the page reaches beyond it. */
export async function expectWithin(part: Locator): Promise<void> {
  const excess = await part.evaluate((pane) => {
    const { left, right } = pane.getBoundingClientRect()
    // What an outer one cuts off is not to be seen.
    const isCut = (element: Element) => {
      for (let outer = element.parentElement; outer && outer !== pane; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowX !== 'visible') return true
      }
      return false
    }
    return [...pane.querySelectorAll('*')]
      .filter((element) => !element.closest('.sr-only, svg'))
      .filter((element) => {
        const box = element.getBoundingClientRect()
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1) && !isCut(element)
      })
      .map((element) => element.outerHTML.slice(0, 100))
  })
  expect(excess).toEqual([])
}

/** No two texts in the part of the page stand on each other, as far as they are to be seen. */
export async function expectNoOverlap(part: Locator): Promise<void> {
  const overlaps = await part.evaluate((root) => {
    interface Box {
      left: number
      top: number
      right: number
      bottom: number
    }
    const cut = (box: Box, by: Box): Box => ({
      left: Math.max(box.left, by.left),
      top: Math.max(box.top, by.top),
      right: Math.min(box.right, by.right),
      bottom: Math.min(box.bottom, by.bottom),
    })
    const isLarge = (box: Box) => box.right - box.left > 2 && box.bottom - box.top > 2
    const texts: { text: string; boxes: Box[] }[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (!parent || node.textContent?.trim() === '' || parent.closest('.sr-only, svg, [aria-hidden="true"]')) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      let boxes: Box[] = [...range.getClientRects()]
      for (let outer: Element | null = parent; outer && outer !== root.parentElement; outer = outer.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(outer)
        const edge = outer.getBoundingClientRect()
        if (overflowX !== 'visible' || overflowY !== 'visible') boxes = boxes.map((box) => cut(box, edge))
      }
      boxes = boxes.filter(isLarge)
      if (boxes.length > 0) texts.push({ text: node.textContent?.slice(0, 40) ?? '', boxes: boxes.slice(0, 200) })
    }
    const found: string[] = []
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        if (one.boxes.some((box) => other.boxes.some((each) => isLarge(cut(box, each))))) {
          found.push(`“${one.text}” and “${other.text}”`)
        }
      }
    }
    return found
  })
  expect(overlaps).toEqual([])
}

/** Hostile text does no harm: no script ran, nothing scrolls sideways, nothing overlaps. */
export async function expectUnharmed(page: Page, part: Locator = page.locator('main')): Promise<void> {
  await expectNothingRan(page)
  await expectNoSidewaysScroll(page)
  await expectWithin(part)
  await expectNoOverlap(part)
}
