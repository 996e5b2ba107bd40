import { describe, expect, it } from 'vitest'
import { findMentionQuery, splitMentions, writeMentions } from './mentions.ts'

const ann = { userId: '0198c0de-0000-7000-8000-000000000001', name: 'Ann' }
const anna = { userId: '0198c0de-0000-7000-8000-000000000002', name: 'Anna Berg' }

describe('mentions', () => {
  it('are sent as ids, the longest name first, and shown by the name of today', () => {
    const sent = writeMentions('@Anna Berg and @Ann, not @Anne', [ann, anna])
    expect(sent).toBe(`<@${anna.userId}> and <@${ann.userId}>, not <@${ann.userId}>e`)
    expect(splitMentions(`Hi <@${ann.userId.toUpperCase()}>!`, [{ userId: ann.userId, name: 'Ann Lee' }])).toEqual([
      { text: 'Hi ', isMention: false },
      { text: 'Ann Lee', isMention: true },
      { text: '!', isMention: false },
    ])
    expect(splitMentions(`<@${ann.userId}>`, [{ userId: ann.userId, name: null }])).toEqual([
      { text: 'former member', isMention: true },
    ])
  })

  it.each([
    ['Hi @an', 6, { start: 3, words: 'an' }],
    ['@', 1, { start: 0, words: '' }],
    ['(@Anna B', 8, { start: 1, words: 'Anna B' }],
    ['mail@example', 12, undefined],
    ['@ann\nnext', 9, undefined],
    ['@ ', 2, undefined],
    ['@ann then', 2, { start: 0, words: 'a' }],
  ])('are looked for in %j at %d', (text, cursor, expected) => {
    expect(findMentionQuery(text, cursor)).toEqual(expected)
  })
})
