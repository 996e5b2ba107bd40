import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import {
  type BulkChange,
  type BulkOperation,
  getBulkOperation,
  startBulkOperation,
  undoBulkOperation,
} from '#contract/triage.ts'
import { call } from '#web/lib/api.ts'
import { membersQuery } from '#web/lib/members-query.ts'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { patchItems } from './feedback-queries.ts'
import { describeBulkChange, toBulkPatch } from './item-change.ts'
import { type BulkRequest, type BulkTarget, bulkKey } from './pending-changes.ts'

/** The server takes no more ids at once; more are several operations. */
const maxIds = 1000
const pollMs = 400

/** How far a change of many items is. */
export interface BulkProgress {
  label: string
  processed: number
  total: number
}

/**
 * Changes many items at once: the rows in view follow at once, progress is told while the rest is done, and the message
 * at the end undoes all of it, except what somebody has changed since.
 * @param onSettled reads again what is shown
 */
export function useBulkChange(organizationId: string, onSettled: () => void) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress>()

  const follow = async (operation: BulkOperation, label: string, before: number, total: number) => {
    let latest = operation
    while (latest.state === 'running' || latest.state === 'undoing') {
      setProgress({ label, processed: before + latest.processed, total: Math.max(total, before + latest.total) })
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      latest = await call(getBulkOperation, { params: { organizationId, operationId: operation.id } })
    }
    return latest
  }
  const settle = () => {
    setProgress(undefined)
    onSettled()
  }

  const findName = (userId: string) =>
    queryClient.getQueryData(membersQuery(organizationId).queryKey)?.items.find((member) => member.userId === userId)
      ?.name

  const undoing = useMutation({
    mutationKey: bulkKey(organizationId),
    networkMode: 'always',
    mutationFn: async (operations: readonly BulkOperation[]) => {
      const undone: BulkOperation[] = []
      const total = sum(operations, 'changed')
      for (const { id } of operations) {
        const started = await call(undoBulkOperation, { params: { organizationId, operationId: id } })
        undone.push(await follow(started, 'Undoing', sum(undone, 'changed'), total))
      }
      return undone
    },
    onSuccess: (undone) => {
      const kept = sum(undone, 'kept')
      const failed = undone.some(({ state }) => state === 'failed')
      toast({
        title: failed ? 'Not everything could be undone' : 'Undone',
        tone: failed ? 'danger' : 'success',
        ...(kept > 0 && {
          description: `${formatItems(kept)} changed by somebody since then stayed as ${kept === 1 ? 'it is' : 'they are'}.`,
        }),
      })
    },
    onError: (error, operations) =>
      toast({
        tone: 'danger',
        title: 'That could not be undone',
        description: error.message,
        durationMs: toastDurationsMs.long,
        action: { label: 'Try again', onPress: () => undoing.mutate(operations) },
      }),
    onSettled: settle,
  })

  const changing = useMutation({
    mutationKey: bulkKey(organizationId),
    networkMode: 'always',
    mutationFn: async ({ items, selection, change, operationIds }: BulkRequest) => {
      const done: BulkOperation[] = []
      const label = describeBulkChange(change, findName)
      for (const [index, id] of operationIds.entries()) {
        const ids = items.slice(index * maxIds, (index + 1) * maxIds).map((item) => item.id)
        const target = selection ? { selection } : { ids }
        const started = await call(startBulkOperation, {
          params: { organizationId },
          body: { id, ...target, change },
        })
        done.push(await follow(started, label, sum(done, 'processed'), items.length))
      }
      return done
    },
    onMutate: ({ items, change }) => {
      const byId = new Map(items.map((item) => [item.id, item]))
      patchItems(queryClient, organizationId, byId, (item) => toBulkPatch(item, change))
    },
    onSuccess: (operations, { change }) => {
      const changed = sum(operations, 'changed')
      if (operations.some(({ state }) => state === 'failed')) {
        toast({
          tone: 'danger',
          title: 'Not all items were changed',
          description: `${formatItems(changed)}: ${describeBulkChange(change, findName)}. The rest is as it was.`,
          durationMs: toastDurationsMs.long,
          action: { label: 'Undo', onPress: () => undoing.mutate(operations) },
        })
        return
      }
      if (changed === 0) return toast({ title: 'They were all like that already' })
      toast({
        title: `${formatItems(changed)}: ${describeBulkChange(change, findName)}`,
        durationMs: toastDurationsMs.long,
        action: { label: 'Undo', onPress: () => undoing.mutate(operations) },
      })
    },
    onError: (error, request) =>
      toast({
        tone: 'danger',
        title: 'The items were not changed',
        description: error.message,
        durationMs: toastDurationsMs.long,
        // With the same ids: what had arrived after all is not done twice.
        action: { label: 'Try again', onPress: () => changing.mutate(request) },
      }),
    onSettled: settle,
  })

  const start = (target: BulkTarget, change: BulkChange) => {
    if (target.items.length === 0) return
    const count = target.selection ? 1 : Math.ceil(target.items.length / maxIds)
    changing.mutate({ ...target, change, operationIds: Array.from({ length: count }, () => uuidV7()) })
  }
  return { start, progress, isBusy: changing.isPending || undoing.isPending }
}

function sum(operations: readonly BulkOperation[], name: 'processed' | 'changed' | 'kept'): number {
  return operations.reduce((total, operation) => total + operation[name], 0)
}

/** `1 item`, `1,200 items`. */
export function formatItems(count: number): string {
  return count === 1 ? '1 item' : `${count.toLocaleString('en')} items`
}
