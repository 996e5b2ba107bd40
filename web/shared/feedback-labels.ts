import type {
  closedReasons,
  FeedbackListItem,
  FeedbackLocation,
  FeedbackPriority,
  FeedbackStatus,
  FeedbackType,
} from '#contract/feedback.ts'
import type { MediaKind } from '#contract/filters.ts'
import type { InboxSort } from '#contract/inbox.ts'

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
  manual: 'Added manually',
  test: 'Test',
}

export const locationLabels: Readonly<Record<FeedbackLocation, string>> = {
  inbox: 'Inbox',
  archived: 'Archived',
  spam: 'Spam',
  trash: 'Trash',
  merged: 'Merged',
}

/** Behind a number: `3 archived`. */
export const countedLocationLabels: Readonly<Record<FeedbackLocation, string>> = {
  inbox: 'open',
  archived: 'archived',
  spam: 'spam',
  trash: 'in trash',
  merged: 'merged',
}

export const sortLabels: Readonly<Record<InboxSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  updated: 'Last changed',
  priority: 'Highest priority',
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
