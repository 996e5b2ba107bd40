import type { ImportField, ImportMapping } from '#contract/imports.ts'

/** What a column becomes, and how its values are read. */
export type Target = Omit<ImportMapping['columns'][number], 'column'>

export const fieldNames: Readonly<Record<Exclude<ImportField, 'answer'>, string>> = {
  message: 'Message',
  title: 'Title (before the message)',
  type: 'Type',
  status: 'Status',
  closedReason: 'Closed reason',
  priority: 'Priority',
  rating: 'Rating, 1 to 5',
  nps: 'NPS, 0 to 10',
  tags: 'Tags',
  visitorName: 'Visitor name',
  visitorEmail: 'Visitor email',
  visitorId: 'Visitor ID',
  pageUrl: 'Page URL',
  pageTitle: 'Page title',
  createdAt: 'Created at',
  resolvedAt: 'Resolved at',
  metadata: 'Keep as metadata',
}
