import type { FeedbackEvent } from '#contract/feedback.ts'
import { closedReasonLabels, priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { formatMoment } from '#web/lib/relative-time.ts'

/** One line of an item's history: who, and what they did. */
export interface HistoryLine {
  id: string
  actor: string
  text: string
  createdAt: string
}

/**
 * An item's history as sentences, oldest first. Closing with a reason is two changes of one moment and one sentence.
 */
export function describeHistory(events: readonly FeedbackEvent[]): HistoryLine[] {
  return events.flatMap((event) => {
    const text = describeEvent(event, events)
    return text === undefined
      ? []
      : [{ id: event.id, actor: nameActor(event, events), text, createdAt: event.createdAt }]
  })
}

/** Without an actor of the team, a visitor's answer or the system made the change. */
function nameActor(event: FeedbackEvent, all: readonly FeedbackEvent[]): string {
  if (event.actorName !== null) return event.actorName
  const isAnswer = all.some(({ field, createdAt }) => field === 'answer' && createdAt === event.createdAt)
  if (isAnswer) return 'The visitor'
  return event.field === 'snoozed' ? 'Earshot' : 'Someone'
}

function describeEvent(event: FeedbackEvent, all: readonly FeedbackEvent[]): string | undefined {
  const { field, from, to } = event
  const together = (other: string) =>
    all.find(({ field: name, createdAt, actorName }) => {
      return name === other && createdAt === event.createdAt && actorName === event.actorName
    })
  if (field === 'status') {
    const reason = together('closed_reason')?.to
    if (to === 'closed' && reason) return `closed this as ${label(closedReasonLabels, reason)}`
    return `changed status from ${label(statusLabels, from)} to ${label(statusLabels, to)}`
  }
  if (field === 'priority') {
    if (from === 'none') return `set priority to ${label(priorityLabels, to)}`
    if (to === 'none') return 'removed the priority'
    return `changed priority from ${label(priorityLabels, from)} to ${label(priorityLabels, to)}`
  }
  if (field === 'closed_reason') {
    // Told with the status; and a reason goes without saying when an item is opened again.
    if (together('status')) return undefined
    return to === null ? 'removed the reason for closing' : `set the reason to ${label(closedReasonLabels, to)}`
  }
  if (field === 'spam') return to === null ? 'marked this as not spam' : 'marked this as spam'
  const known = Object.hasOwn(describers, field) ? describers[field] : undefined
  if (known) return known(from, to)
  // A newer server's field.
  return `changed ${field.replaceAll('_', ' ')} from ${from ?? 'nothing'} to ${to ?? 'nothing'}`
}

const describers: Readonly<Record<string, (from: string | null, to: string | null) => string | undefined>> = {
  assignee: (from, to) => {
    if (to === null) return `unassigned ${from ?? 'someone'}`
    return from === null ? `assigned this to ${to}` : `assigned this to ${to} instead of ${from}`
  },
  tags: describeTags,
  annotation: (from, to) =>
    to === null ? `deleted the annotated picture ${from ?? ''}`.trimEnd() : `attached the annotated picture ${to}`,
  archived: (_, to) => (to === null ? 'moved this back to the inbox' : 'archived this'),
  snoozed: (_, to) => (to === null ? 'ended the snooze' : `snoozed this until ${formatMoment(to)}`),
  deleted: (_, to) => (to === null ? 'restored this from the trash' : 'moved this to the trash'),
  merged: (from, to) => {
    if (to === null) return `unmerged this from ${from ?? 'another item'}`
    return from === null ? `merged this into ${to}` : `moved this from ${from} to ${to}`
  },
  duplicate: (from, to) => (to === null ? `unmerged ${from ?? 'an item'} from this` : `merged ${to} into this`),
  new_issue: (_, to) => `created an issue in ${to ?? 'a tracker'}`,
  issue: (from, to) =>
    to === null ? `removed the link to ${from ?? 'an issue'}` : `linked an existing issue of ${to}`,
  answer: (_, to) => (to === 'reopened' ? 'reopened this with a reply' : 'replied'),
}

/** Added and removed tags; before and after are lists in JSON. */
function describeTags(from: string | null, to: string | null): string | undefined {
  const [before, after] = [readTags(from), readTags(to)]
  const parts = [
    { verb: 'added', tags: after.filter((tag) => !before.includes(tag)) },
    { verb: 'removed', tags: before.filter((tag) => !after.includes(tag)) },
  ].filter(({ tags }) => tags.length > 0)
  if (parts.length === 0) return undefined
  return parts
    .map(({ verb, tags }) => `${verb} the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`)
    .join(' and ')
}

function readTags(json: string | null): string[] {
  if (json === null) return []
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.map(String) : []
  } catch {
    return []
  }
}

function label(labels: Readonly<Record<string, string>>, value: string | null): string {
  if (value === null) return 'nothing'
  return Object.hasOwn(labels, value) ? (labels[value] ?? value) : value
}
