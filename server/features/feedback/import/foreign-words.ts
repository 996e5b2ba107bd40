import {
  closedReasons,
  type FeedbackPriority,
  type FeedbackType,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'

type Words<T extends string> = Readonly<Record<string, T>>

/** In what others call it. */
export const types: Words<FeedbackType> = {
  ...own(feedbackTypes),
  issue: 'bug',
  defect: 'bug',
  error: 'bug',
  problem: 'bug',
  bugs: 'bug',
  bugreport: 'bug',
  bugreports: 'bug',
  feature: 'idea',
  featurerequest: 'idea',
  featurerequests: 'idea',
  request: 'idea',
  suggestion: 'idea',
  ideas: 'idea',
  improvement: 'idea',
  enhancement: 'idea',
  wish: 'idea',
  support: 'question',
  help: 'question',
  questions: 'question',
  compliment: 'praise',
  love: 'praise',
  positive: 'praise',
  feedback: 'other',
  general: 'other',
  generalfeedback: 'other',
  task: 'other',
  note: 'other',
  comment: 'other',
}
export const statuses: Words<string> = {
  ...own(feedbackStatuses),
  feedback: 'new',
  unread: 'new',
  inbox: 'new',
  untriaged: 'new',
  received: 'new',
  pending: 'new',
  notset: 'new',
  underreview: 'open',
  review: 'open',
  backlog: 'open',
  todo: 'open',
  planned: 'open',
  accepted: 'open',
  started: 'in_progress',
  reopened: 'open',
  triaged: 'open',
  doing: 'in_progress',
  inprogress: 'in_progress',
  wip: 'in_progress',
  indevelopment: 'in_progress',
  done: 'resolved',
  complete: 'resolved',
  completed: 'resolved',
  fixed: 'resolved',
  shipped: 'resolved',
  released: 'resolved',
  solved: 'resolved',
  archived: 'closed',
  rejected: 'closed:wont_fix',
  declined: 'closed:wont_fix',
  wontfix: 'closed:wont_fix',
  wontdo: 'closed:wont_fix',
  duplicate: 'closed:duplicate',
  notreproducible: 'closed:not_reproducible',
}
export const priorities: Words<FeedbackPriority> = {
  ...own(feedbackPriorities),
  notset: 'none',
  no: 'none',
  minor: 'low',
  lowest: 'low',
  trivial: 'low',
  normal: 'medium',
  moderate: 'medium',
  important: 'high',
  major: 'high',
  critical: 'urgent',
  highest: 'urgent',
  blocker: 'urgent',
}
export const reasons: Words<string> = {
  ...own(closedReasons),
  wontdo: 'wont_fix',
  declined: 'wont_fix',
  rejected: 'wont_fix',
}

function own<T extends string>(values: readonly T[]): Record<string, T> {
  return Object.fromEntries(values.map((value) => [value.replaceAll('_', ''), value]))
}

/** What a word of another tool is called here; undefined where it is not known. */
export function lookUp<T extends string>(value: string, words: Words<T>): T | undefined {
  const key = value.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Object.hasOwn(words, key) ? words[key] : undefined
}
