import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import type { BulkChange, BulkOperation } from '#contract/bulk.ts'
import { membersQuery } from '#web/lib/members-query.ts'
import { formatItems } from '#web/shared/format-count.ts'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { storeOf } from '../feedback-store.ts'
import { describeBulkChange } from '../item/item-change.ts'
import { keepUndo } from '../undo-changes.ts'
import {
  type BulkProgress,
  type BulkRequest,
  type BulkTarget,
  bulkKey,
  changeMany,
  maxIds,
  sumOf,
  undoMany,
} from './bulk-operations.ts'

interface Done {
  changeId: string
  /** The change in words: `3 items: archived`. */
  text: string
  operations: readonly BulkOperation[]
}

/**
 * Changes many items at once: the loaded rows follow at once, a progress bar shows how far the rest is, and the message at
 * the end undoes all of it, except items that someone has changed since.
 * @param onSettled reads again what is shown
 */
export function useBulkChange(organizationId: string, onSettled: () => void) {
  const queryClient = useQueryClient()
  const store = storeOf(queryClient, organizationId)
  const [progress, setProgress] = useState<BulkProgress>()
  const settle = () => {
    setProgress(undefined)
    onSettled()
  }
  const describeOf = (change: BulkChange) => {
    const members = queryClient.getQueryData(membersQuery(organizationId).queryKey)
    return describeBulkChange(change, (userId) => members?.items.find((member) => member.userId === userId)?.name)
  }
  const undoing = useMutation({
    mutationKey: bulkKey(organizationId),
    networkMode: 'always',
    mutationFn: ({ operations }: Done) => undoMany(organizationId, operations, setProgress),
    onSuccess: (undone, { changeId, text }) => {
      store.dispatch({ type: 'change undone', changeId })
      showUndone(undone, text)
    },
    onError: (error, done) => showFailure('Couldn’t undo the change', error, () => undoing.mutate(done)),
    onSettled: settle,
  })
  const changing = useMutation({
    mutationKey: bulkKey(organizationId),
    networkMode: 'always',
    mutationFn: (request: BulkRequest) => changeMany(organizationId, request, describeOf(request.change), setProgress),
    onMutate: ({ items, change, changeId }) => {
      const itemIds = items.map(({ id }) => id)
      store.dispatch({ type: 'change made', changeId, itemIds, change: { many: change } })
    },
    onSuccess: (operations, { change, changeId }) => {
      store.dispatch({ type: 'change confirmed', changeId })
      const changed = sumOf(operations, 'changed')
      if (changed === 0 && !operations.some(isFailed)) return toast({ title: 'No changes needed' })
      const text = `${formatItems(changed)}: ${describeOf(change)}`
      const { undo } = keepUndo(store, () => undoing.mutate({ changeId, text, operations }))
      showDone(operations, text, undo)
    },
    onError: (error, request) => {
      store.dispatch({ type: 'change rejected', changeId: request.changeId })
      // With the same ids: operations that the server has run after all are not run twice.
      showFailure('Couldn’t change the items', error, () => changing.mutate(request))
    },
    onSettled: settle,
  })

  const start = (target: BulkTarget, change: BulkChange) => {
    if (target.items.length === 0) return
    const count = target.selection ? 1 : Math.ceil(target.items.length / maxIds)
    const operationIds = Array.from({ length: count }, () => uuidV7())
    changing.mutate({ ...target, change, changeId: uuidV7(), operationIds })
  }
  return { start, progress, isBusy: changing.isPending || undoing.isPending }
}

const isFailed = ({ state }: BulkOperation) => state === 'failed'

function showDone(operations: readonly BulkOperation[], text: string, onUndo: () => void): void {
  const action = { label: 'Undo', onPress: onUndo }
  if (operations.some(isFailed)) {
    const description = `${text}. The others are unchanged.`
    toast({
      tone: 'danger',
      title: 'Not all items were changed',
      description,
      durationMs: toastDurationsMs.long,
      action,
    })
  } else toast({ title: text, durationMs: toastDurationsMs.long, action })
}

function showUndone(undone: readonly BulkOperation[], text: string): void {
  const kept = sumOf(undone, 'kept')
  const failed = undone.some(isFailed)
  toast({
    title: failed ? 'Some changes couldn’t be undone' : `Undone · ${text}`,
    tone: failed ? 'danger' : 'success',
    ...(kept > 0 && {
      description: `${formatItems(kept)} changed since then ${kept === 1 ? 'was' : 'were'} kept.`,
    }),
  })
}

function showFailure(title: string, error: Error, onRetry: () => void): void {
  toast({
    tone: 'danger',
    title,
    error,
    durationMs: toastDurationsMs.long,
    action: { label: 'Try again', onPress: onRetry },
  })
}
