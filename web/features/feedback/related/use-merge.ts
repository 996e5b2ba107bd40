import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { listSimilar, type MergeTarget, mergeFeedback, unmergeFeedback } from '#contract/merge.ts'
import { call } from '#web/lib/api.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { toast } from '#web/ui/toast.tsx'
import { storeDetail, storeOf } from '../feedback-store.ts'
import { keepUndo } from '../undo-changes.ts'

/** Similar items of the same project. */
export function similarQuery(organizationId: string, feedbackId: string) {
  return queryOptions({
    queryKey: [...feedbackKey(organizationId), 'similar', feedbackId],
    queryFn: ({ signal }) => call(listSimilar, { params: { organizationId, feedbackId }, signal }),
    select: ({ items }) => items,
    networkMode: 'always',
  })
}

type MergedItem = Pick<FeedbackDetail, 'id' | 'number' | 'mergedInto'> & { duplicates?: FeedbackDetail['duplicates'] }

/** Puts an item under another and takes it out again; each can be undone from the toast or by Ctrl+Z. */
export function useMerge(organizationId: string) {
  const queryClient = useQueryClient()
  const ask = async (request: () => Promise<FeedbackDetail>) => {
    const requestedAt = storeOf(queryClient, organizationId).requestTime()
    return { detail: await request(), requestedAt }
  }
  const store = ({ detail, requestedAt }: Awaited<ReturnType<typeof ask>>) => {
    storeDetail(queryClient, organizationId, detail, requestedAt)
    // Lists, counts, and the other item have changed, too.
    void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
  }
  const keep = (undo: () => void) => keepUndo(storeOf(queryClient, organizationId), undo).undo
  const merging = useMutation({
    networkMode: 'always',
    mutationFn: ({ item, target }: { item: MergedItem; target: MergeTarget; isUndo?: boolean }) =>
      ask(() => call(mergeFeedback, { params: { organizationId, feedbackId: item.id }, body: target })),
    onSuccess: (answer, { item, isUndo }) => {
      store(answer)
      // Its duplicates moved along, and come back with it.
      const take = item.duplicates?.map(({ id }) => id) ?? []
      const undo = () =>
        item.mergedInto === null
          ? unmerging.mutate({ item, take, isUndo: true })
          : merging.mutate({ item, target: { into: item.mergedInto }, isUndo: true })
      toast({
        title: `#${item.number}: merged into #${answer.detail.original?.number ?? ''}`,
        ...(!isUndo && { action: { label: 'Undo', onPress: keep(undo) } }),
      })
    },
  })
  const unmerging = useMutation({
    networkMode: 'always',
    mutationFn: ({ item, take }: { item: MergedItem; take: string[]; isUndo?: boolean }) =>
      ask(() => call(unmergeFeedback, { params: { organizationId, feedbackId: item.id }, body: { take } })),
    onSuccess: (answer, { item, isUndo }) => {
      store(answer)
      const { mergedInto } = item
      const title = `#${item.number}: unmerged`
      if (isUndo || mergedInto === null) return toast({ title })
      const undo = keep(() => merging.mutate({ item, target: { into: mergedInto }, isUndo: true }))
      toast({ title, action: { label: 'Undo', onPress: undo } })
    },
    onError: (error) => toast({ tone: 'danger', title: 'Couldn’t unmerge the item', error }),
  })
  return {
    merge: (item: MergedItem, target: MergeTarget, onDone?: () => void) =>
      merging.mutate({ item, target }, { ...(onDone && { onSuccess: onDone }) }),
    unmerge: (item: MergedItem) => unmerging.mutate({ item, take: [] }),
    isPending: merging.isPending || unmerging.isPending,
    error: merging.error,
    forgetError: () => merging.reset(),
  }
}
