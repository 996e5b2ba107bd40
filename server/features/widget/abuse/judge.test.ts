import { describe, expect, it } from 'vitest'
import type { Submission } from '#contract/widget.ts'
import { judgeSubmission, proofScore, type Signs, spamScore } from './judge.ts'

const signs: Signs = { hasOrigin: true, userAgent: 'Mozilla/5.0', spentShare: 0, repeats: 0 }
const submission: Submission = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'bug',
  message: 'The basket is empty after I sign in.',
  page: { url: 'https://example.com/' },
  guard: { elapsedMs: 20_000 },
}

describe('judgeSubmission', () => {
  it('finds nothing in what people send', () => {
    expect(judgeSubmission(submission, signs).score).toBe(0)
  })

  it.each([
    ['a message with two links', { message: 'See https://a.test and https://b.test' }, {}],
    ["a site's own server", {}, { hasOrigin: false, userAgent: '' }],
    ['an office behind one address', {}, { spentShare: 0.9 }],
    ['the same words twice', {}, { repeats: 2 }],
  ])('lets %s through', (_, part, more) => {
    expect(judgeSubmission({ ...submission, ...part }, { ...signs, ...more }).score).toBeLessThan(proofScore)
  })

  it.each([
    ['honeypot', { guard: { elapsedMs: 20_000, website: 'https://spam.test' } }, {}],
    ['links', { message: 'https://a.test '.repeat(20) }, {}],
    ['repeated', { message: 'https://a.test '.repeat(4) }, { repeats: 9 }],
  ])('puts into quarantine: %s', (reason, part, more) => {
    const found = judgeSubmission({ ...submission, ...part }, { ...signs, ...more })
    expect(found).toMatchObject({ reason })
    expect(found.score).toBeGreaterThanOrEqual(spamScore)
  })

  it.each([
    ['the same words again and again', {}, { repeats: 6 }],
    ['many links in a flood', { message: 'https://a.test '.repeat(5) }, { spentShare: 0.6 }],
    ['faster than a person writes', { guard: { elapsedMs: 300 } }, {}],
    ['a link for a name', { name: 'https://spam.test' }, {}],
    ['without the guard', { guard: undefined }, {}],
    ['without guard, origin and browser', { guard: undefined }, { hasOrigin: false, userAgent: '' }],
  ])('asks for a calculation: %s', (_, part, more) => {
    // JSON has no undefined: the part is missing.
    const given = JSON.parse(JSON.stringify({ ...submission, ...part })) as Submission
    const { score } = judgeSubmission(given, { ...signs, ...more })
    expect(score).toBeGreaterThanOrEqual(proofScore)
    expect(score).toBeLessThan(spamScore)
  })
})
