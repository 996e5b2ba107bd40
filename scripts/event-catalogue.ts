import { testEvent } from '#contract/deliveries.ts'
import { events } from '#contract/events.ts'
import { type DeliveredEvent, deliveredEvents } from '#contract/integrations.ts'
import type { DeliveryContent } from '#server/features/integrations/delivery/read-content.ts'
import { sampleItem } from '#server/features/integrations/delivery/sample-item.ts'

/** Fields that `data` has for an event besides those of every event. */
const furtherFields: Readonly<Partial<Record<DeliveredEvent, string>>> = {
  'feedback.status_changed': '`change`: `{from, to}`',
  'feedback.updated': '`fields`: names of what changed',
  'feedback.commented': '`comment`: the note',
  'feedback.replied': '`comment`: the reply',
  'feedback.answered': '`comment`: the answer',
  'feedback.deleted': '`feedback` is null',
}

/** The guide that lists the events that integrations deliver, with an example. */
export function printEventCatalogue(): string {
  const rows = deliveredEvents.map(
    (name) => `| \`${name}\` | ${tidySummary(events[name].summary)} | ${furtherFields[name] ?? ''} |`,
  )
  return `---
title: Events
description: Every event that webhooks and integrations deliver, with its fields and an example.
section: Integrations
order: 15
---

# Events

Generated from the code by \`npm run documents\`.

A webhook gets each event as JSON: \`{type, timestamp, data}\`. One delivery is about one item, also when a member changed
many items at once. Ignore types and fields that you don't know: later versions add some.

| type | when | further fields of \`data\` |
|---|---|---|
${rows.join('\n')}
| \`${testEvent}\` | An owner sent a test. | The item is an example. |

Events never cover the team's own reading: an opened or snoozed item is not delivered.

## Fields of every event

| field | meaning |
|---|---|
| \`type\` | The event. |
| \`timestamp\` | When it happened, in ISO 8601. |
| \`data.organizationId\` | The organisation. |
| \`data.feedbackId\` | The item; null in a test. |
| \`data.feedback\` | The item at the first attempt; null if it no longer exists. |
| \`data.url\` | The address where the team opens the item; null if there is none. |
| \`data.actorName\` | Who caused the event; null: a visitor, or Earshot itself. |
| \`data.comment\` | \`{id, kind, fromVisitor, text, authorName}\` |

Links to pictures and recordings in \`data.feedback.attachments\` work for 7 days. Anyone who has such a link can open the file.
A \`context\` longer than 64,000 characters is left out.

## Example

\`\`\`json
${JSON.stringify(writeExample(), null, 2)}
\`\`\`
`
}

/** Without `ids`, which deliveries don't have. */
function tidySummary(summary: string): string {
  return summary.replace(/ `ids`: .*$/, '')
}

function writeExample(): Omit<DeliveryContent, 'event' | 'body'> & { type: string } {
  const at = new Date('2026-11-22T09:30:00Z')
  const id = '0199a3c4-5d6e-7f80-9123-456789abcdef'
  const item = { ...sampleItem(at), id, number: 12, source: 'widget' as const, projectName: 'Website' }
  const words = { message: 'The basket empties itself.', excerpt: 'The basket empties itself.', tags: ['checkout'] }
  const data = {
    organizationId: '0199a3c4-0000-7000-8000-000000000001',
    feedbackId: id,
    feedback: { ...item, ...words, projectId: '0199a3c4-0000-7000-8000-000000000002', status: 'resolved' as const },
    url: `https://earshot.example/dashboard/feedback?item=${id}`,
    actorName: 'Grace Hopper',
    change: { from: 'new', to: 'resolved' },
  }
  return { type: 'feedback.status_changed', timestamp: at.toISOString(), data }
}
