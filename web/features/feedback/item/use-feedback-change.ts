import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { errors } from '#contract/errors.ts'
import { type FeedbackChange, type FeedbackListItem, getFeedback, updateFeedback } from '#contract/feedback.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { membersQuery } from '#web/lib/members-query.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { toast } from '#web/ui/toast.tsx'
import { itemQuery, outdateOtherLists, rereadSearch } from '../feedback-queries.ts'
import { cacheDetail, storeOf } from '../feedback-store.ts'
import { countsKey } from '../query-keys.ts'
import { toListItem } from '../store/show-detail.ts'
import { keepUndo } from '../undo-changes.ts'
import {
  type ChangedItem,
  describeChange,
  type ItemChange,
  invertChange,
  isMove,
  isSameChange,
  toPatch,
} from './item-change.ts'

/** A change of one item that the server is asked for. */
interface ChangeRequest {
  item: ChangedItem
  change: ItemChange
  /** What the person saw when deciding, own pending changes included. */
  seen: ItemChange
  /** Called when the server refuses it. */
  onRefused?: () => void
}

/**
 * Changes what the team decides about an item: shown at once, taken back with a message if the server refuses, undone from
 * the toast or by Ctrl+Z. A colleague's change in the meantime is never overwritten: the member sees it with a message.
 */
export function useFeedbackChange(organizationId: string) {
  const queryClient = useQueryClient()
  const store = storeOf(queryClient, organizationId)
  const { mutate } = useMutation({
    // One after another: the second change of an item needs the version that the first one made.
    scope: { id: `change-feedback-${organizationId}` },
    networkMode: 'always',
    mutationFn: async ({ item, change, seen }: ChangeRequest) => {
      const version = await readVersion(queryClient, organizationId, item.id, seen)
      const requestedAt = store.requestTime()
      const body = toBody(change, version)
      const detail = await call(updateFeedback, { params: { organizationId, feedbackId: item.id }, body })
      return { detail, requestedAt }
    },
    onMutate: ({ item, change }) => {
      const changeId = uuidV7()
      store.dispatch({ type: 'change made', changeId, itemIds: [item.id], change: { one: change } })
      return { changeId }
    },
    onSuccess: ({ detail, requestedAt }, { change }, { changeId }) => {
      store.dispatch({ type: 'change confirmed', changeId, answer: { row: toListItem(detail), requestedAt } })
      cacheDetail(queryClient, organizationId, detail)
      // A tag may be new, a location has one more: the counts beside the filters follow.
      void queryClient.invalidateQueries({ queryKey: countsKey(organizationId) })
      if (!isMove(change)) return
      outdateOtherLists(queryClient, organizationId)
      rereadSearch(queryClient, organizationId)
    },
    onError: (error, request, made) => {
      if (made) store.dispatch({ type: 'change rejected', changeId: made.changeId })
      request.onRefused?.()
      showFailure(error, () => mutate(request))
      void queryClient.invalidateQueries({ queryKey: itemQuery(organizationId, request.item.id).queryKey })
      if (error instanceof ApiError) void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
    },
  })

  return useCallback(
    (item: ChangedItem, change: ItemChange) => {
      const seen = invertChange(item, change)
      if (isSameChange(change, seen)) return
      const members = queryClient.getQueryData(membersQuery(organizationId).queryKey)
      const findName = (userId: string) => members?.items.find((member) => member.userId === userId)?.name
      const changed = { ...item, ...toPatch(item, change, new Date().toISOString()) }
      const text = `#${item.number}: ${describeChange(change, findName)}`
      const { undo, forget } = keepUndo(store, () => {
        mutate({ item: changed, change: seen, seen: change })
        toast({ title: `Undone · ${text}` })
      })
      mutate({ item, change, seen, onRefused: forget })
      toast({ title: text, action: { label: 'Undo', onPress: undo } })
    },
    [mutate, queryClient, organizationId, store],
  )
}

function toBody({ closedReason, tags, ...rest }: ItemChange, version: number): FeedbackChange {
  return { ...rest, ...(closedReason && { closedReason }), ...(tags && { tags: [...tags] }), version }
}

/**
 * The version to base the change on: the newest known, unless a colleague's change of the same fields has come since
 * the person decided.
 * @throws {ApiError} edit_conflict
 */
async function readVersion(
  queryClient: QueryClient,
  organizationId: string,
  id: string,
  seen: ItemChange,
): Promise<number> {
  const newest = await readNewest(queryClient, organizationId, id)
  if (!isStill(newest, seen)) {
    throw new ApiError({ ...errors.edit_conflict, code: 'edit_conflict', requestId: '' })
  }
  return newest.version
}

/** The newest state of an item: known of one that was opened here; another, whose row may be old, is read first. */
async function readNewest(queryClient: QueryClient, organizationId: string, id: string): Promise<FeedbackListItem> {
  const store = storeOf(queryClient, organizationId)
  const detail = queryClient.getQueryData(itemQuery(organizationId, id).queryKey)
  if (detail) {
    const row = store.getState().items.get(id)?.row
    return row && row.version > detail.version ? row : detail
  }
  const requestedAt = store.requestTime()
  const row = toListItem(await call(getFeedback, { params: { organizationId, feedbackId: id } }))
  store.dispatch({ type: 'item read', row, requestedAt })
  return row
}

/** Whether the fields have these values. */
function isStill(row: FeedbackListItem, values: ItemChange): boolean {
  // Of a row, how an item was closed isn't known.
  const { closedReason: _, ...now } = invertChange(row, values)
  const { closedReason: __, ...then } = values
  return isSameChange(now, then)
}

function showFailure(error: Error, retry: () => void): void {
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
    title: 'Couldn’t save the change',
    error,
    durationMs: 10_000,
    action: { label: 'Try again', onPress: retry },
  })
}
