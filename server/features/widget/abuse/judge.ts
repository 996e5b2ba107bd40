import type { Submission } from '#contract/widget.ts'

/** People need longer to open a form, read it and write a word. */
const leastFillMs = 1_200
const manyLinks = 4

/** Facts about a request besides its body. */
export interface Signs {
  readonly hasOrigin: boolean
  readonly userAgent: string
  /** How much of what this sender may send in a minute is used up, 0 to 1. */
  readonly spentShare: number
  /** How often this project received the same message lately, from any sender. */
  readonly repeats: number
}

/**
 * How much a submission looks like spam, and why most. From 0; see {@link proofScore} and {@link spamScore}. Each sign
 * alone has honest explanations (a script of the site's own, an office behind one address): only together they weigh.
 */
export interface Suspicion {
  readonly score: number
  /** The heaviest sign, as it is stored and shown to the team. */
  readonly reason: string
}

/** From here on, the sender has to do a calculation. */
export const proofScore = 3
/** From here on, it goes into quarantine, calculation or not. */
export const spamScore = 5

export function judgeSubmission({ guard, message, name = '' }: Submission, signs: Signs): Suspicion {
  const links = message.match(/https?:\/\/|\[url=|<a\s/gi)?.length ?? 0
  const weights: Record<string, number> = {
    // People do not see this field.
    honeypot: guard?.website ? 5 : 0,
    // A site that fills in the form itself leaves its visitors only to press Send.
    too_fast: guard && guard.elapsedMs < leastFillMs ? 3 : 0,
    // The widget always sends it. Trusting its absence would let every program leave it out.
    no_guard: guard ? 0 : 3,
    repeated: signs.repeats >= 5 ? 3 : signs.repeats >= 2 ? 1 : 0,
    links: links >= manyLinks * 3 ? 5 : links >= manyLinks ? 2 : 0,
    link_in_name: /https?:\/\//i.test(name) ? 3 : 0,
    flood: signs.spentShare >= 0.8 ? 2 : signs.spentShare >= 0.5 ? 1 : 0,
    // Of a program that says what it is by leaving out the guard, the missing headers say nothing more.
    no_browser: guard ? (signs.hasOrigin ? 0 : 1) + (signs.userAgent === '' ? 1 : 0) : 0,
  }
  const sorted = Object.entries(weights).sort(([, a], [, b]) => b - a)
  return {
    score: sorted.reduce((sum, [, weight]) => sum + weight, 0),
    reason: sorted[0]?.[0] ?? '',
  }
}
