import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('numbers, dates and times are written in one locale everywhere', async () => {
  const others: string[] = []
  for await (const path of glob('web/**/*.{ts,tsx}')) {
    const code = await readFile(path, 'utf8')
    for (const [call] of code.matchAll(/(?:toLocale(?:Date|Time)?String|Intl\.\w+Format)\((?!locale\b)[^\n]*/g)) {
      // Asked for the time zone alone.
      if (!call.includes('resolvedOptions()')) others.push(`${path}: ${call}`)
    }
  }
  expect(others).toEqual([])
})
