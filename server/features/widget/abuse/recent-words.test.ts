import { describe, expect, it } from 'vitest'
import { createRecentWords } from './recent-words.ts'

const words = 'Buy cheap watches from us today'

describe('createRecentWords', () => {
  it('counts the same words of one project, whatever their spacing and case', () => {
    const recent = createRecentWords()
    expect(
      [words, words.toUpperCase(), ` ${words}\n`].map((text, index) => recent.note('a', text, `${index}`)),
    ).toEqual([0, 1, 2])
    expect(recent.note('b', words, 'x')).toBe(0)
  })

  it('does not count a retry', () => {
    const recent = createRecentWords()
    expect(recent.note('a', words, 'one')).toBe(0)
    expect(recent.note('a', words, 'one')).toBe(0)
    expect(recent.note('a', words, 'two')).toBe(1)
  })

  it('pays no attention to short words', () => {
    const recent = createRecentWords()
    for (let count = 0; count < 5; count++) expect(recent.note('a', 'It works!', `${count}`)).toBe(0)
  })

  it('forgets after a while', () => {
    let nowMs = 0
    const recent = createRecentWords(() => nowMs)
    recent.note('a', words, 'one')
    nowMs = 4 * 60_000
    expect(recent.note('a', words, 'two')).toBe(1)
    nowMs = 30 * 60_000
    expect(recent.note('a', words, 'three')).toBe(0)
  })
})
