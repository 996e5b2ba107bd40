import type { FeedbackType } from '#contract/feedback.ts'

/** What the visitor has filled in so far. */
export interface Draft {
  type: FeedbackType | ''
  message: string
  /** 1 to 5; 0 is none. */
  rating: number
  email: string
}

export const emptyDraft: Draft = { type: '', message: '', rating: 0, email: '' }

const key = 'earshot.draft'

/** The draft of this tab, also after a reload; empty when there is none or storage is blocked. */
export function loadDraft(): Draft {
  try {
    return { ...emptyDraft, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') }
  } catch {
    return emptyDraft
  }
}

export function saveDraft(draft: Draft): void {
  try {
    if (draft.message || draft.rating) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // Blocked storage: the draft lives as long as the panel.
  }
}
