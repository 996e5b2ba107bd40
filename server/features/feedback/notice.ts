import type { FeedbackNotice } from '#contract/feedback.ts'

/** A notice holds at most 8,000 bytes; an id takes 39. */
export const idsPerNotice = 150

/** The text of a notice between servers: which organisation's followers are told what. */
export function toNotice(organizationId: string, notice: FeedbackNotice): string {
  return JSON.stringify({ organizationId: organizationId.toLowerCase(), ...notice })
}

/** One notice of many changes; of very many it says only that there were some. */
export function toChangedNotice(organizationId: string, ids: readonly string[]): string {
  return toNotice(organizationId, { kind: 'feedback.updated', ids: ids.length > idsPerNotice ? [] : [...ids] })
}
