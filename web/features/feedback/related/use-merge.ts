import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { listSimilar, type MergeTarget, mergeFeedback, unmergeFeedback } from '#contract/merge.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { feedbackKey, storeItem } from '../feedback-queries.ts'

/** Items of the same project that say much the same. */
export function similarQuery(organizationId: string, feedbackId: string) {
  return queryOptions({
    queryKey: [...feedbackKey(organizationId), 'similar', feedbackId],
    queryFn: ({ signal }) => call(listSimilar, { params: { organizationId, feedbackId }, signal }),
    select: ({ items }) => items,
    networkMode: 'always',
  })
}

type MergedItem = Pick<FeedbackDetail, 'id' | 'number' | 'mergedInto'> & { duplicates?: FeedbackDetail['duplicates'] }

/** Puts an item under another and takes it out again; each can be undone from the toast. */
export function useMerge(organizationId: string) {
  const queryClient = useQueryClient()
  const store = (detail: FeedbackDetail) => {
    storeItem(queryClient, organizationId, detail)
    // Lists, counts, and the other item have changed, too.
    void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
  }
  const merging = useMutation({
    networkMode: 'always',
    mutationFn: ({ item, target }: { item: MergedItem; target: MergeTarget }) =>
      call(mergeFeedback, { params: { organizationId, feedbackId: item.id }, body: target }),
    onSuccess: (detail, { item }) => {
      store(detail)
      // What lay under it went along, and comes back with it.
      const take = item.duplicates?.map(({ id }) => id) ?? []
      toast({
        title: `#${item.number}: merged into #${detail.original?.number ?? ''}`,
        action: {
          label: 'Undo',
          onPress: () =>
            item.mergedInto === null
              ? unmerging.mutate({ item, take, isUndo: true })
              : merging.mutate({ item, target: { into: item.mergedInto } }),
        },
      })
    },
  })
  const unmerging = useMutation({
    networkMode: 'always',
    mutationFn: ({ item, take }: { item: MergedItem; take: string[]; isUndo?: boolean }) =>
      call(unmergeFeedback, { params: { organizationId, feedbackId: item.id }, body: { take } }),
    onSuccess: (detail, { item, isUndo }) => {
      store(detail)
      const { mergedInto } = item
      toast({
        title: `#${item.number}: stands for itself again`,
        ...(!isUndo &&
          mergedInto !== null && {
            action: { label: 'Undo', onPress: () => merging.mutate({ item, target: { into: mergedInto } }) },
          }),
      })
    },
    onError: (error) => toast({ tone: 'danger', title: 'The item was not taken out', description: error.message }),
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
