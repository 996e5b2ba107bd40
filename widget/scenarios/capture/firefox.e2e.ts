import { expect, test } from '@playwright/test'
import type { PNG } from 'pngjs'
import { launchFirefox } from '../../../bench/harness/other-browsers.ts'
import { readPicture } from './compare.ts'
import { startSite } from './site.ts'

interface Field {
  readonly type: string
  readonly value: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const listFields = `[...document.querySelectorAll('input')].map((input) => {
  const { x, y, width, height } = input.getBoundingClientRect()
  return { type: input.type, value: input.value, x, y, width, height }
})`

/** The pixels of a field's insides that differ from its own corner: what is written or drawn in it. */
function countInk({ data, width }: PNG, field: Field): number {
  const at = (x: number, y: number) => (Math.round(y) * width + Math.round(x)) * 4
  const face = at(field.x + 4, field.y + 4)
  let count = 0
  for (let y = field.y + 4; y < field.y + field.height - 4; y++) {
    // Without the button that opens a calendar.
    for (let x = field.x + 4; x < field.x + field.width - (field.type === 'range' ? 4 : 28); x++) {
      const here = at(x, y)
      if ([0, 1, 2].some((part) => Math.abs((data[here + part] ?? 0) - (data[face + part] ?? 0)) > 40)) count++
    }
  }
  return count
}

test('Firefox: dates, times and ranges are in the picture as they are on the page, where it is installed', async () => {
  const browser = await launchFirefox(1000, 700)
  if (!browser) {
    test.info().annotations.push({ type: 'not checked', description: 'Firefox is not installed' })
    return
  }
  const site = await startSite()
  try {
    await browser.open(site.pageUrl('date-fields'))
    await browser.evaluate(`import('/t/trial.js').then(() => trial.settle())`)
    const fields = await browser.evaluate<Field[]>(listFields)
    const shown = readPicture(Buffer.from(await browser.screenshot(), 'base64'))
    const drawn = readPicture((await browser.evaluate<{ url: string }>('trial.capture()')).url)
    expect(fields).toHaveLength(14)
    for (const field of fields) {
      const share = countInk(drawn, field) / countInk(shown, field)
      expect(share, JSON.stringify(field)).toBeGreaterThan(0.6)
      expect(share, JSON.stringify(field)).toBeLessThan(1.6)
    }
  } finally {
    await browser.close()
    await site.stop()
  }
})
