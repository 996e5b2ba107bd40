import type { Submission } from '#contract/widget.ts'

/** The number of different submissions before they repeat. */
export const variants = 64

/**
 * The end of every message. Senders overwrite it with random characters, because repeated texts count as spam; it
 * contains no words, so that all messages cost the same to index.
 */
export const messageEnd = '.'.repeat(24)

const words = (
  'the a when button page checkout order form nothing happens after click save again search list menu mobile login ' +
  'shows error slow blank wrong price basket photo upload address please would like dark mode export report filter ' +
  'customer invoice payment arrives twice late never works since update yesterday phone browser window scroll back'
).split(' ')

/** A submission of about 1 kB of JSON, without its id: as a visitor's browser sends it. Deterministic per variant. */
export function makeSubmission(variant: number): Omit<Submission, 'id'> {
  let state = variant * 2654435761 + 1
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const sentence = Array.from({ length: 66 }, () => words[next(words.length)]).join(' ')
  return {
    type: (['bug', 'idea', 'question', 'praise', 'other'] as const)[next(5)] ?? 'bug',
    message: `${sentence}${messageEnd}`,
    rating: next(5) + 1,
    email: `visitor-${variant}@example.org`,
    name: 'Ada Example',
    page: { url: `https://shop.example.com/products/${next(100_000)}?colour=blue`, title: 'Products' },
    context: {
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
      language: 'en-GB',
      viewport: { width: 1440, height: 900, ratio: 2 },
      screen: { width: 2880, height: 1800 },
      timeZone: 'Europe/Berlin',
    },
    guard: { elapsedMs: 20_000 },
    metadata: { plan: 'pro', release: '2026.11.3', userId: String(next(1_000_000)) },
  }
}
