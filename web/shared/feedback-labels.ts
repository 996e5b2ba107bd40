import type { FeedbackListItem, FeedbackLocation } from '#contract/feedback.ts'
import type { InboxGrouping, InboxSort, InboxStage } from '#contract/inbox.ts'

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
  snoozed: 'Snoozed',
  archived: 'Archived',
  spam: 'Spam',
  trash: 'Trash',
  merged: 'Merged',
}

/** Parts of the inbox. */
export const stageLabels: Readonly<Record<InboxStage | 'all', string>> = { open: 'Open', done: 'Done', all: 'All' }

/** Behind a number: `3 archived`. */
export const countedLocationLabels: Readonly<Record<FeedbackLocation, string>> = {
  inbox: 'open',
  snoozed: 'snoozed',
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

/** By what the inbox can be grouped. */
export const groupingLabels: Readonly<Record<InboxGrouping | 'none', string>> = {
  none: 'No groups',
  status: 'Status',
  priority: 'Priority',
  type: 'Type',
  assignee: 'Assignee',
  project: 'Project',
  day: 'Day received',
}
