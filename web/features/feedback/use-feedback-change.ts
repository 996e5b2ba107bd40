import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { errors } from '#contract/errors.ts'
import {
  type FeedbackChange,
  type FeedbackDetail,
  type FeedbackListItem,
  type FeedbackPriority,
  type FeedbackStatus,
  getFeedback,
  updateFeedback,
} from '#contract/feedback.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { type ClosedReason, closedReasonLabels, priorityLabels, statusLabels } from './feedback-labels.ts'
import { feedbackKey, type ItemPatch, itemQuery, patchItem, storeItem } from './feedback-queries.ts'

export interface ItemChange {
  status?: FeedbackStatus
  /** Null or absent: closed without a reason. */
  closedReason?: ClosedReason | null
  priority?: FeedbackPriority
  /** True: into quarantine; false: out of it. */
  spam?: boolean
}

interface ChangeRequest {
  id: string
  change: ItemChange
  /** What the person saw when deciding. */
  seen: ItemChange
}

const changeKey = (organizationId: string) => ['change-feedback', organizationId] as const

/** Whether a change of the item is on its way: what is read meanwhile may be older than what is shown. */
export function isChanging(queryClient: QueryClient, organizationId: string, id: string): boolean {
  return queryClient
    .getMutationCache()
    .findAll({ mutationKey: changeKey(organizationId), status: 'pending' })
    .some(({ state }) => (state.variables as ChangeRequest | undefined)?.id === id)
}

/**
 * Changes status or priority: shown at once, taken back with a word if the server refuses, undone from the toast. A
 * colleague's change in the meantime is never overwritten: it is told and shown.
 */
export function useFeedbackChange(organizationId: string) {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: changeKey(organizationId),
    // One after another: the second change of an item needs the version that the first one made.
    scope: { id: `change-feedback-${organizationId}` },
    networkMode: 'always',
    mutationFn: async ({ id, change, seen }: ChangeRequest) => {
      const version = await readVersion(queryClient, organizationId, id, seen)
      const { closedReason, ...rest } = change
      const body: FeedbackChange = { ...rest, ...(closedReason && { closedReason }), version }
      return call(updateFeedback, { params: { organizationId, feedbackId: id }, body })
    },
    onMutate: ({ id, change }) => {
      void queryClient.cancelQueries({ queryKey: itemQuery(organizationId, id).queryKey })
      patchItem(queryClient, organizationId, id, toPatch(change))
    },
    onSuccess: (detail) => storeItem(queryClient, organizationId, detail),
    onError: (error, request) => {
      patchItem(queryClient, organizationId, request.id, toPatch(request.seen))
      tellFailure(error, () => mutate(request))
      void queryClient.invalidateQueries({ queryKey: itemQuery(organizationId, request.id).queryKey })
      if (error instanceof ApiError) void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
    },
  })

  return useCallback(
    (item: FeedbackListItem & { closedReason?: ClosedReason | null }, change: ItemChange) => {
      const seen: ItemChange = {
        ...(change.status !== undefined && { status: item.status, closedReason: item.closedReason ?? null }),
        ...(change.priority !== undefined && { priority: item.priority }),
        ...(change.spam !== undefined && { spam: item.spamReason !== null }),
      }
      if (isSame(change, seen)) return
      mutate({ id: item.id, change, seen })
      toast({
        title: `#${item.number}: ${describeChange(change)}`,
        action: { label: 'Undo', onPress: () => mutate({ id: item.id, change: seen, seen: change }) },
      })
    },
    [mutate],
  )
}

/** The version to base the change on. Of an item nobody has opened yet only the row was seen: it must still be true. */
async function readVersion(
  queryClient: QueryClient,
  organizationId: string,
  id: string,
  seen: ItemChange,
): Promise<number> {
  const query = itemQuery(organizationId, id)
  const known = queryClient.getQueryData(query.queryKey)
  if (known) return known.version
  const detail = await call(getFeedback, { params: { organizationId, feedbackId: id } })
  if (hasMoved(detail, seen)) {
    throw new ApiError({ ...errors.edit_conflict, code: 'edit_conflict', requestId: '' })
  }
  return detail.version
}

function hasMoved(detail: FeedbackDetail, { status, priority }: ItemChange): boolean {
  return (status !== undefined && detail.status !== status) || (priority !== undefined && detail.priority !== priority)
}

function toPatch({ closedReason, spam, ...change }: ItemChange): ItemPatch {
  return {
    ...change,
    ...(change.status !== undefined && { closedReason: closedReason ?? null }),
    ...(spam !== undefined && { spamReason: spam ? 'marked' : null }),
  }
}

function isSame(change: ItemChange, seen: ItemChange): boolean {
  return (
    change.status === seen.status &&
    (change.closedReason ?? null) === (seen.closedReason ?? null) &&
    change.priority === seen.priority &&
    change.spam === seen.spam
  )
}

function describeChange({ status, closedReason, priority, spam }: ItemChange): string {
  if (spam !== undefined) return spam ? 'marked as spam' : 'taken out of spam'
  if (closedReason) return `closed as ${closedReasonLabels[closedReason]}`
  if (status !== undefined) return `status changed to ${statusLabels[status]}`
  if (priority === 'none' || priority === undefined) return 'priority removed'
  return `priority set to ${priorityLabels[priority]}`
}

function tellFailure(error: Error, retry: () => void): void {
  if (error instanceof ApiError && error.code === 'edit_conflict') {
    toast({
      tone: 'danger',
      title: error.message,
      description: 'Your change was not applied. You now see the latest state.',
      durationMs: 10_000,
    })
    return
  }
  toast({
    tone: 'danger',
    title: 'The change was not saved',
    description: error.message,
    durationMs: 10_000,
    action: { label: 'Try again', onPress: retry },
  })
}
