import type { Cell } from '#server/platform/text/write-csv.ts'
import type { Question } from './export-items.queries.ts'
import type { ExportItem } from './read-items.ts'

/** A column of a table of items. */
export interface Column {
  readonly name: string
  /** Width in a spreadsheet, in characters. */
  readonly width: number
  read(item: ExportItem): Cell
}

/** Column names of every table. An import recognises its own exports by them. */
const fixed: readonly Column[] = [
  { name: 'Number', width: 9, read: (item) => item.number },
  { name: 'Project', width: 18, read: (item) => item.project },
  { name: 'Type', width: 10, read: (item) => item.type },
  { name: 'Status', width: 12, read: (item) => item.status },
  { name: 'Closed reason', width: 16, read: (item) => item.closedReason },
  { name: 'Priority', width: 10, read: (item) => item.priority },
  { name: 'Message', width: 80, read: (item) => item.message },
  { name: 'Rating', width: 8, read: (item) => item.rating },
  { name: 'NPS', width: 8, read: (item) => item.nps },
  { name: 'Tags', width: 24, read: (item) => joinTags(item.tags) },
  { name: 'Visitor name', width: 20, read: (item) => item.visitorName },
  { name: 'Visitor email', width: 28, read: (item) => item.visitorEmail },
  { name: 'Visitor ID', width: 20, read: (item) => item.visitorId },
  { name: 'Visitor verified', width: 14, read: (item) => item.visitorVerified },
  { name: 'Page URL', width: 40, read: (item) => item.pageUrl },
  { name: 'Page title', width: 28, read: (item) => item.pageTitle },
  { name: 'Assignee', width: 20, read: (item) => item.assignee },
  { name: 'Comments', width: 10, read: (item) => item.commentCount },
  { name: 'Attachments', width: 30, read: (item) => item.attachments.map(({ name }) => name).join('; ') },
  { name: 'Consent', width: 9, read: (item) => item.consent },
  { name: 'Source', width: 10, read: (item) => item.source },
  { name: 'Location', width: 10, read: (item) => item.location },
  { name: 'Created at', width: 20, read: (item) => item.createdAt },
  { name: 'Updated at', width: 20, read: (item) => item.updatedAt },
  { name: 'First viewed at', width: 20, read: (item) => item.firstViewedAt },
  { name: 'First response at', width: 20, read: (item) => item.firstResponseAt },
  { name: 'Resolved at', width: 20, read: (item) => item.resolvedAt },
  { name: 'ID', width: 38, read: (item) => item.id },
  {
    name: 'Metadata',
    width: 30,
    read: (item) => (Object.keys(item.metadata).length === 0 ? null : JSON.stringify(item.metadata)),
  },
]

/** The columns of a table: the fields of all items, then one per question. Names are unique. */
export function listColumns(questions: readonly Question[]): Column[] {
  const taken = new Set(fixed.map(({ name }) => name.toLowerCase()))
  const answers = questions.map(({ id, label }): Column => {
    let name = label.trim() === '' ? id : label.trim()
    if (taken.has(name.toLowerCase())) name = `${name} (${id})`
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${label.trim()} (${id} ${n})`
    taken.add(name.toLowerCase())
    return { name, width: 20, read: (item) => item.answers[id] ?? null }
  })
  return [...fixed, ...answers]
}

/** Tags in one cell, separated by commas; a tag that contains a comma or a quote is quoted, as in CSV. */
function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')
}
