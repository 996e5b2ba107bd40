import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extendTailwindMerge } from 'tailwind-merge'
import { describe, expect, it } from 'vitest'
import { mergeClasses } from './merge-classes.ts'

const peer = extendTailwindMerge({})
/** Of one beginning, e.g. `px-`, so many utilities take part. */
const perBeginning = 2

/** The app's utilities, without their variants, as far as the peer knows them. */
function findUtilities(): string[] {
  const web = join(import.meta.dirname, '..')
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test)\.tsx?$/.test(name) && !name.endsWith('merge-classes.ts'),
  )
  const words = sources.flatMap((name) =>
    [...readFileSync(join(web, name), 'utf8').matchAll(/['"`]([^'"`\n]+)['"`]/g)].flatMap(([, text = '']) =>
      text.split(' '),
    ),
  )
  const utilities = [...new Set(words.map((word) => word.replace(/^.*:(?![^[(]*[\])])/, '')))]
  const counts = new Map<string, number>()
  return utilities.filter((utility) => {
    if (!/^[-![a-z]/.test(utility) || peer(`${utility} ${utility}`) !== utility) return false
    const beginning = utility.replace(/-?[^-]*$/, '')
    const count = (counts.get(beginning) ?? 0) + 1
    counts.set(beginning, count)
    return (
      beginning === '' || count <= perBeginning || /^(text|border|outline|ring|stroke|object|flex|font)/.test(utility)
    )
  })
}

describe('mergeClasses', () => {
  it('keeps of every two utilities of the app what tailwind-merge keeps', () => {
    const utilities = findUtilities()
    expect(utilities.length).toBeGreaterThan(150)
    const wrong = utilities.flatMap((first) =>
      utilities
        .map((second) => `${first} ${second}`)
        .filter((both) => mergeClasses(both) !== peer(both))
        .map((both) => `${both}: ${mergeClasses(both)}, not ${peer(both)}`),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    'hover:bg-accent hover:bg-hover bg-sunken',
    'md:hover:px-2 hover:md:p-1 px-3',
    '[&_svg]:size-4 [&_svg]:w-3 data-[state=open]:flex hidden',
    'p-4 unknown p-2! p-3',
    'data-[a:b]:p-1 data-[a:b]:px-2',
  ])('tells variants apart: %s', (names) => {
    expect(mergeClasses(names)).toBe(peer(names))
  })
})
