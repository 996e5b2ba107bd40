import { idOfRow } from '#server/features/feedback/import/read-row.ts'
import { dayMs } from './choose-time.ts'
import type { DemoItem } from './demo-item.ts'

/** The import of the shop's earlier feedback. */
const demoImport = {
  id: '0192e4a0-0000-7000-8000-00000000f001',
  name: 'feedback-board-export.csv',
  daysAgo: 6,
  problems: ['Type “Roadmap” is none of bug, idea, question, praise, other', 'it has neither a message nor a rating'],
} as const

/** The same items; those of a project that were imported have the ids that its rows give them, so that it can be undone. */
export function importItems(items: readonly DemoItem[], projectId: string): DemoItem[] {
  let row = 1
  return items.map((item) => {
    if (item.projectId !== projectId || item.source !== 'import') return item
    row += 1
    return { ...item, submission: { ...item.submission, id: idOfRow(demoImport.id, row) } }
  })
}

/** The rows of the import and its problems. */
export function describeImport(items: readonly DemoItem[], projectId: string, now: Date) {
  const accepted = items.filter((item) => item.projectId === projectId && item.source === 'import').length
  const importedAt = new Date(now.getTime() - demoImport.daysAgo * dayMs)
  return {
    id: demoImport.id,
    project_id: projectId,
    name: demoImport.name,
    accepted,
    refused: demoImport.problems.length,
    created_at: importedAt,
    problems: demoImport.problems.map((reason, at) => ({ row_number: accepted + 2 + at, reason })),
  }
}
