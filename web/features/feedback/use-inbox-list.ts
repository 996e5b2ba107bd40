import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { readAgain } from '#web/lib/query-client.ts'
import type { Filters } from './feedback-filters.ts'
import { feedbackKey, inboxQuery } from './feedback-queries.ts'
import { matchesLists } from './match-filters.ts'
import { type FeedbackPages, listItems, trimPages } from './merge-feedback.ts'

/** The loaded rows of the inbox under some filters. */
export function useInboxList(organizationId: string, filters: Filters, currentId: string | undefined) {
  const queryClient = useQueryClient()
  const list = useInfiniteQuery({ ...inboxQuery(organizationId, filters), placeholderData: (previous) => previous })
  const lastInView = useRef(0)

  const loaded = useMemo(() => listItems(list.data), [list.data])
  // What no longer passes the filters stays as long as it is being looked at.
  const items = useMemo(() => {
    const now = new Date()
    const isShown = (item: FeedbackListItem) =>
      list.isPlaceholderData ||
      (item.id === currentId && item.place === filters.place) ||
      matchesLists(item, filters, now)
    return loaded.every(isShown) ? loaded : loaded.filter(isShown)
  }, [loaded, list.isPlaceholderData, filters, currentId])

  /** Reads what is in view again, and the rest when one gets there. */
  const reread = useCallback(() => {
    const { queryKey } = inboxQuery(organizationId, filters)
    queryClient.setQueryData<FeedbackPages>(queryKey, (data) => data && trimPages(data, lastInView.current))
    void queryClient.invalidateQueries({
      queryKey: feedbackKey(organizationId),
      predicate: ({ queryHash }) => queryHash !== hashKey(queryKey),
    })
    void readAgain(queryClient, queryKey)
  }, [queryClient, organizationId, filters])

  const noteView = useCallback((lastIndex: number) => {
    lastInView.current = lastIndex
  }, [])

  return { list, items, reread, noteView, similarWords: list.data?.pages[0]?.similarWords ?? noWords }
}

const noWords = {}
