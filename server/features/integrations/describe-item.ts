import { describeBrowser } from '#contract/describe-browser.ts'
import type { FeedbackStatus } from '#contract/feedback.ts'
import { formatStars, mediaLabels, priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import type { Attachment } from '#contract/files.ts'
import { stripInvisible } from '#server/platform/text/strip-invisible.ts'
import type { DeliveredItem } from '../feedback/delivered-items.service.ts'
import type { DeliveryContent } from './delivery/read-content.ts'
import { fitText } from './fit-text.ts'

/** One line about an item. */
export interface Fact {
  readonly label: string
  readonly value: string
  /** An http address that the value leads to. */
  readonly url?: string
  /** `words`: written by the visitor. `person`: names the visitor. Emails may leave both out. */
  readonly tells?: 'words' | 'person'
}

/**
 * A delivery in words, for people. Texts contain no invisible characters, and nothing in them is escaped: visitors and
 * members may have written anything.
 */
export interface Description {
  /** `Bug #12 in Website: The basket empties itself.` One line of at most 150 characters. */
  readonly title: string
  /** What happened: `Grace changed #12 from New to Resolved.` Names members, never visitors. */
  readonly sentence: string
  /** The message, or the note, reply or answer that the event is about. May be empty. */
  readonly text: string
  readonly facts: readonly Fact[]
  /** The last errors of the page's console, oldest first. */
  readonly consoleErrors: readonly string[]
  /** Where the team opens the item; null: a test, or it no longer exists. */
  readonly url: string | null
  /** Signed address of the first picture, which works for a few days. */
  readonly pictureUrl: string | null
}

const maxLengths = { title: 150, name: 80, fact: 300, url: 2000 }
const maxConsoleErrors = 5
const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const changedFields: Readonly<Record<string, string>> = {
  archived: 'archived or unarchived',
  assignee: 'assignee',
  closedReason: 'reason for closing',
  deleted: 'moved to or from the trash',
  duplicates: 'duplicates',
  merged: 'merged or unmerged',
  priority: 'priority',
  project: 'project',
  snoozed: 'snoozed or unsnoozed',
  spam: 'spam',
  tags: 'tags',
  type: 'type',
}

/** Writes a delivery in words. */
export function describeItem({ event, data }: DeliveryContent): Description {
  const { feedback: item, url, comment } = data
  if (!item) {
    const sentence = describeEvent({ event, data }, 'an item')
    return { title: 'Deleted item', sentence, text: '', facts: [], consoleErrors: [], url, pictureUrl: null }
  }
  return {
    title: nameItem(item),
    sentence: describeEvent({ event, data }, `#${item.number}`),
    // A test's example says the same as its sentence.
    text: event === 'integration.test' ? '' : stripInvisible(comment?.text ?? item.message).trim(),
    facts: listFacts(item),
    consoleErrors: listConsoleErrors(item.context),
    url,
    pictureUrl: item.attachments.find(isPicture)?.url ?? null,
  }
}

function nameItem(item: DeliveredItem): string {
  const name = `${typeLabels[item.type]} #${item.number} in ${toLine(item.projectName, maxLengths.name)}`
  const words = toLine(item.message, maxLengths.title)
  return fitText(words === '' ? name : `${name}: ${words}`, maxLengths.title)
}

function describeEvent({ event, data }: Pick<DeliveryContent, 'event' | 'data'>, item: string): string {
  const { actorName, change, fields = [] } = data
  const isVisitor = event === 'feedback.created' || event === 'feedback.answered'
  const who =
    actorName === null ? (isVisitor ? 'A visitor' : 'Earshot') : toLine(actorName, maxLengths.name) || 'Someone'
  const changed = fields.flatMap((field) => changedFields[field] ?? []).join(', ')
  const sentences: Readonly<Record<DeliveryContent['event'], string>> = {
    'feedback.created': `${who} sent ${item}.`,
    'feedback.imported': `${who} imported ${item}.`,
    'feedback.status_changed': change
      ? `${who} changed ${item} from ${nameStatus(change.from)} to ${nameStatus(change.to)}.`
      : `${who} changed the status of ${item}.`,
    'feedback.updated': changed === '' ? `${who} changed ${item}.` : `${who} changed ${item}: ${changed}.`,
    'feedback.assigned': `${who} assigned ${item}.`,
    'feedback.commented': `${who} wrote a note on ${item}.`,
    'feedback.replied': `${who} replied to the visitor of ${item}.`,
    'feedback.answered': `${who} answered ${item}.`,
    'feedback.files_changed': `Files of ${item} changed.`,
    'feedback.deleted': `${who} permanently deleted ${item}.`,
    'integration.test': 'This is a test from Earshot. The connection works.',
  }
  return sentences[event]
}

function nameStatus(status: string): string {
  // The payload's type is text; a status of a later version has no label yet.
  return statusLabels[status as FeedbackStatus] ?? status
}

function listFacts(item: DeliveredItem): Fact[] {
  const { pageUrl, context, rating, nps, priority, tags, visitorName, visitorEmail, attachmentKinds, fields } = item
  const visitor = [visitorName, visitorEmail].filter((part) => part !== null && part !== '').join(', ')
  const browser = typeof context.userAgent === 'string' ? describeBrowser(context.userAgent) : undefined
  const files = [...new Set(attachmentKinds)].map((kind) => mediaLabels[kind]).join(', ')
  const facts: Fact[] = [
    { label: 'Page', value: pageUrl, ...toLink(pageUrl) },
    { label: 'Browser', value: browser ?? '' },
    { label: 'Rating', value: rating === null ? '' : formatStars(String(rating)) },
    { label: 'NPS', value: nps === null ? '' : `${nps} of 10` },
    { label: 'Priority', value: priority === 'none' ? '' : priorityLabels[priority] },
    { label: 'Tags', value: tags.join(', ') },
    { label: 'Visitor', value: visitor, tells: 'person' },
    { label: 'Attachments', value: files },
    ...fields.map(({ label, value }): Fact => {
      const answer = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value
      return { label: toLine(label, maxLengths.name), value: answer, tells: 'words' }
    }),
  ]
  return facts
    .map((fact) => ({ ...fact, value: toLine(fact.value, maxLengths.fact) }))
    .filter(({ label, value }) => label !== '' && value !== '')
}

/** Only web addresses may be clicked: the page's address is whatever its sender says. */
function toLink(address: string): { url: string } | Record<string, never> {
  const parsed = URL.parse(address)
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
  return isWeb && parsed.href.length <= maxLengths.url ? { url: parsed.href } : {}
}

/** Entries of `context.console` are `[time, level, text]`; visitors can send any JSON. */
function listConsoleErrors(context: DeliveredItem['context']): string[] {
  const entries: readonly unknown[] = Array.isArray(context.console) ? context.console : []
  return entries
    .flatMap((entry) => (Array.isArray(entry) && entry[1] === 'error' && typeof entry[2] === 'string' ? entry[2] : []))
    .slice(-maxConsoleErrors)
    .map((text) => toLine(text, maxLengths.fact))
}

function isPicture({ kind, state, url, mime }: Attachment): boolean {
  return (
    state === 'ready' && url !== null && (kind === 'screenshot' || kind === 'file') && pictureTypes.includes(mime ?? '')
  )
}

function toLine(text: string, maxLength: number): string {
  return fitText(stripInvisible(text).replaceAll(/\s+/g, ' ').trim(), maxLength)
}
