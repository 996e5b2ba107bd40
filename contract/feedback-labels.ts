import type { closedReasons, FeedbackPriority, FeedbackStatus, FeedbackType } from './feedback.ts'
import type { MediaKind } from './filters.ts'

export type ClosedReason = (typeof closedReasons)[number]

export const typeLabels: Readonly<Record<FeedbackType, string>> = {
  bug: 'Bug',
  idea: 'Idea',
  question: 'Question',
  praise: 'Praise',
  other: 'Other',
}

export const statusLabels: Readonly<Record<FeedbackStatus, string>> = {
  new: 'New',
  open: 'Open',
  in_progress: 'In progress',
  resolved: 'Resolved',
  closed: 'Closed',
}

export const priorityLabels: Readonly<Record<FeedbackPriority, string>> = {
  none: 'No priority',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  urgent: 'Urgent',
}

export const closedReasonLabels: Readonly<Record<ClosedReason, string>> = {
  wont_fix: "Won't fix",
  duplicate: 'Duplicate',
  not_reproducible: 'Not reproducible',
}

export const mediaLabels: Readonly<Record<MediaKind, string>> = {
  text: 'Text',
  rating: 'Rating',
  screenshot: 'Screenshot',
  voice: 'Voice note',
  screen: 'Screen recording',
  file: 'File',
  replay: 'Replay',
}

/** `1 star`, `4 stars`. */
export function formatStars(rating: string): string {
  return rating === '1' ? '1 star' : `${rating} stars`
}
