import { describe, expect, it } from 'vitest'
import { findCasts } from './casts.ts'

describe('findCasts', () => {
  it.each([
    ['as', 'const port = value as number', 'value as number'],
    ['angle brackets', 'const port = <number>value', '<number>value'],
    ['a non-null mark', 'const port = value!', 'value!'],
    ['a cast over several lines', 'const port = value as {\n  port: number\n}', 'value as { port: number }'],
  ])('lists %s without a reason', (_, source, text) => {
    expect(findCasts('a.ts', `\n${source}\n`)).toEqual([{ line: 2, text }])
  })

  it.each([
    ['on its line', 'const port = value as number // pg gives text'],
    ['on the line above', '// pg gives text\nconst port = value as number'],
    ['in a block', 'const port = value as /* pg gives text */ number'],
    ['beside the type of a long cast', 'const port = read(\n  name,\n  // pg gives text\n) as number'],
  ])('accepts a reason %s', (_, source) => {
    expect(findCasts('a.ts', source)).toEqual([])
  })

  it('refuses a reason two lines above, or one line below', () => {
    expect(findCasts('a.ts', '// pg gives text\n\nconst port = value as number\n// pg gives text')).toHaveLength(1)
  })

  it('allows as const, as unknown, satisfies and renamed imports', () => {
    const source = `import { a as b } from './a.ts'\nconst list = [b] as const\nconst any = b as unknown\nconst c = b satisfies B`
    expect(findCasts('a.ts', source)).toEqual([])
  })
})
