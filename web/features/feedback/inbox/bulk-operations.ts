import type { QueryClient } from '@tanstack/react-query'
import {
  type BulkChange,
  type BulkOperation,
  getBulkOperation,
  startBulkOperation,
  undoBulkOperation,
} from '#contract/bulk.ts'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { call } from '#web/lib/api.ts'

/** The server takes no more ids at once; more are several operations. */
export const maxIds = 1000
const pollMs = 400

export const bulkKey = (organizationId: string) => ['change-many', organizationId] as const

/** The selected items that are loaded and, if all that match were selected, the filters. */
export interface BulkTarget {
  items: readonly FeedbackListItem[]
  selection: FeedbackSelection | undefined
}

/** A change of many items that the server is asked for. */
export interface BulkRequest extends BulkTarget {
  changeId: string
  change: BulkChange
  /** One per operation, made once: a retry is the same operation. */
  operationIds: readonly string[]
}

/** How far a change of many items is. */
export interface BulkProgress {
  label: string
  processed: number
  total: number
}

/** Whether a change of many items is on its way here: all that is shown is read again when it is done. */
export function isChangingMany(queryClient: QueryClient, organizationId: string): boolean {
  return queryClient.isMutating({ mutationKey: bulkKey(organizationId) }) > 0
}

type Report = (progress: BulkProgress) => void

/** Runs the operations of a request one after another. */
export async function changeMany(
  organizationId: string,
  { items, selection, change, operationIds }: BulkRequest,
  label: string,
  report: Report,
): Promise<BulkOperation[]> {
  const done: BulkOperation[] = []
  for (const [index, id] of operationIds.entries()) {
    const ids = items.slice(index * maxIds, (index + 1) * maxIds).map((item) => item.id)
    const target = selection ? { selection } : { ids }
    const started = await call(startBulkOperation, { params: { organizationId }, body: { id, ...target, change } })
    done.push(
      await follow(organizationId, started, (latest) => {
        const processed = sumOf(done, 'processed')
        report({
          label,
          processed: processed + latest.processed,
          total: Math.max(items.length, processed + latest.total),
        })
      }),
    )
  }
  return done
}

/** Undoes operations one after another. */
export async function undoMany(
  organizationId: string,
  operations: readonly BulkOperation[],
  report: Report,
): Promise<BulkOperation[]> {
  const undone: BulkOperation[] = []
  const total = sumOf(operations, 'changed')
  for (const { id } of operations) {
    const started = await call(undoBulkOperation, { params: { organizationId, operationId: id } })
    undone.push(
      await follow(organizationId, started, (latest) => {
        const before = sumOf(undone, 'changed')
        report({
          label: 'Undoing',
          processed: before + latest.processed,
          total: Math.max(total, before + latest.total),
        })
      }),
    )
  }
  return undone
}

async function follow(
  organizationId: string,
  operation: BulkOperation,
  onProgress: (latest: BulkOperation) => void,
): Promise<BulkOperation> {
  let latest = operation
  while (latest.state === 'running' || latest.state === 'undoing') {
    onProgress(latest)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    latest = await call(getBulkOperation, { params: { organizationId, operationId: operation.id } })
  }
  return latest
}

export function sumOf(operations: readonly BulkOperation[], name: 'processed' | 'changed' | 'kept'): number {
  return operations.reduce((total, operation) => total + operation[name], 0)
}
