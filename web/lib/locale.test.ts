import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

// Dates and times are written as each person chose, in one file.
const dates = 'web/lib/date-style.ts'

it('numbers are written in one locale everywhere, and dates as the person reads them', async () => {
  const others: string[] = []
  for await (const path of glob('web/**/*.{ts,tsx}')) {
    if (path === dates) continue
    const code = await readFile(path, 'utf8')
    for (const [call] of code.matchAll(/(?:toLocale(?:Date|Time)?String|Intl\.\w+Format)\((?!locale\b)[^\n]*/g)) {
      // Asked for the time zone alone.
      if (!call.includes('resolvedOptions()')) others.push(`${path}: ${call}`)
    }
  }
  expect(others).toEqual([])
})
