import type {
  closedReasons,
  FeedbackListItem,
  FeedbackPriority,
  FeedbackStatus,
  FeedbackType,
} from '#contract/feedback.ts'
import type { InboxSort, MediaKind } from '#contract/inbox.ts'
import type { InboxPlace } from './feedback-filters.ts'

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

export const sourceLabels: Readonly<Record<FeedbackListItem['source'], string>> = {
  widget: 'Widget',
  api: 'API',
  link: 'Link',
  import: 'Import',
  manual: 'Added by hand',
  test: 'Test',
}

export const placeLabels: Readonly<Record<InboxPlace, string>> = {
  inbox: 'Inbox',
  archived: 'Archived',
  spam: 'Spam',
  trash: 'Trash',
}

export const sortLabels: Readonly<Record<InboxSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  updated: 'Last changed',
  priority: 'Most pressing',
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
