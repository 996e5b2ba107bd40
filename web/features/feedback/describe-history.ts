import type { FeedbackEvent } from '#contract/feedback.ts'
import { closedReasonLabels, priorityLabels, statusLabels } from './feedback-labels.ts'

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
      : [{ id: event.id, actor: event.actorName ?? 'Someone', text, createdAt: event.createdAt }]
  })
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
  if (field === 'spam') return to === null ? 'took this out of spam' : 'marked this as spam'
  // A newer server's field.
  return `changed ${field.replaceAll('_', ' ')} from ${from ?? 'nothing'} to ${to ?? 'nothing'}`
}

function label(labels: Readonly<Record<string, string>>, value: string | null): string {
  if (value === null) return 'nothing'
  return Object.hasOwn(labels, value) ? (labels[value] ?? value) : value
}
