import { testEvent } from '#contract/deliveries.ts'
import type { DeliveredEvent } from '#contract/integrations.ts'

interface EventWords {
  readonly label: string
  readonly hint: string
}

/** Delivered events, in the order in which they are offered. */
export const eventWords: Readonly<Record<DeliveredEvent, EventWords>> = {
  'feedback.created': { label: 'New feedback', hint: 'A visitor sent feedback.' },
  'feedback.status_changed': { label: 'Status changed', hint: 'For example from open to resolved.' },
  'feedback.updated': { label: 'Details changed', hint: 'Type, priority, tags or location.' },
  'feedback.assigned': { label: 'Assigned', hint: 'A member became responsible.' },
  'feedback.commented': { label: 'Internal note', hint: 'A member wrote a note.' },
  'feedback.replied': { label: 'Reply to the visitor', hint: 'A member answered.' },
  'feedback.answered': { label: 'Answer of the visitor', hint: 'The visitor wrote again.' },
  'feedback.files_changed': { label: 'Files changed', hint: 'A file was checked, added or deleted.' },
  'feedback.imported': { label: 'Imported feedback', hint: 'Rows of a file became items.' },
  'feedback.deleted': { label: 'Feedback deleted', hint: 'Permanently, with its files.' },
}

/** An event of the delivery log, in words. A later version's events keep their names. */
export function nameEvent(event: string): string {
  if (event === testEvent) return 'Test'
  const words: Readonly<Record<string, EventWords>> = eventWords
  return words[event]?.label ?? event
}
