import type {
  closedReasons,
  FeedbackListItem,
  FeedbackPriority,
  FeedbackStatus,
  FeedbackType,
} from '#contract/feedback.ts'

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
