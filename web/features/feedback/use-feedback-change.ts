import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { errors } from '#contract/errors.ts'
import { type FeedbackChange, type FeedbackDetail, getFeedback, updateFeedback } from '#contract/feedback.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { membersQuery } from '#web/lib/members-query.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  countsKey,
  feedbackKey,
  itemQuery,
  outdateOtherLists,
  patchItem,
  rereadListsWithout,
  storeItem,
} from './feedback-queries.ts'
import {
  type ChangedItem,
  describeChange,
  type ItemChange,
  invertChange,
  isMove,
  isSameChange,
  toPatch,
} from './item-change.ts'
import { type ChangeRequest, changeKey } from './pending-changes.ts'

/**
 * Changes what the team decides about an item: shown at once, taken back with a word if the server refuses, undone from the toast. A
 * colleague's change in the meantime is never overwritten: it is told and shown.
 */
export function useFeedbackChange(organizationId: string) {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: changeKey(organizationId),
    // One after another: the second change of an item needs the version that the first one made.
    scope: { id: `change-feedback-${organizationId}` },
    networkMode: 'always',
    mutationFn: async ({ item, change, seen }: ChangeRequest) => {
      const version = await readVersion(queryClient, organizationId, item.id, seen)
      const { closedReason, tags, ...rest } = change
      const body: FeedbackChange = {
        ...rest,
        ...(closedReason && { closedReason }),
        ...(tags && { tags: [...tags] }),
        version,
      }
      return call(updateFeedback, { params: { organizationId, feedbackId: item.id }, body })
    },
    onMutate: ({ item, change }) => {
      void queryClient.cancelQueries({ queryKey: itemQuery(organizationId, item.id).queryKey })
      patchItem(queryClient, organizationId, item.id, toPatch(item, change))
    },
    onSuccess: (detail, { change }) => {
      storeItem(queryClient, organizationId, detail)
      // A tag may be new, a place has one more: the numbers beside the filters follow.
      void queryClient.invalidateQueries({ queryKey: countsKey(organizationId) })
      if (isMove(change)) {
        outdateOtherLists(queryClient, organizationId)
        rereadListsWithout(queryClient, organizationId, detail.id)
      }
    },
    onError: (error, request) => {
      patchItem(queryClient, organizationId, request.item.id, toPatch(request.item, request.seen))
      tellFailure(error, () => mutate(request))
      void queryClient.invalidateQueries({ queryKey: itemQuery(organizationId, request.item.id).queryKey })
      if (error instanceof ApiError) void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
    },
  })

  return useCallback(
    (item: ChangedItem, change: ItemChange) => {
      const seen = invertChange(item, change)
      if (isSameChange(change, seen)) return
      mutate({ item, change, seen })
      const members = queryClient.getQueryData(membersQuery(organizationId).queryKey)
      const findName = (userId: string) => members?.items.find((member) => member.userId === userId)?.name
      toast({
        title: `#${item.number}: ${describeChange(change, findName)}`,
        action: {
          label: 'Undo',
          onPress: () => mutate({ item: { ...item, ...toPatch(item, change) }, change: seen, seen: change }),
        },
      })
    },
    [mutate, queryClient, organizationId],
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

/** Whether somebody has changed what this change is about. */
function hasMoved(detail: FeedbackDetail, seen: ItemChange): boolean {
  // Of a row, how an item was closed isn't known.
  const { closedReason: _, ...now } = invertChange(detail, seen)
  const { closedReason: __, ...then } = seen
  return !isSameChange(now, then)
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
