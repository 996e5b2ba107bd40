import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { readAgain } from '#web/lib/query-client.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { inboxQuery, type ListPages, trimPages } from '../feedback-queries.ts'
import { useStoreState } from '../feedback-store.ts'
import type { Filters } from '../filters/feedback-filters.ts'
import { isGrouped } from '../groups/groups-query.ts'
import { selectRows } from '../store/select-rows.ts'

/** The loaded rows of the inbox under some filters, without groups. */
export function useInboxList(organizationId: string, filters: Filters, currentId: string | undefined) {
  const queryClient = useQueryClient()
  const list = useInfiniteQuery({
    ...inboxQuery(organizationId, filters),
    enabled: !isGrouped(filters),
    placeholderData: (previous) => previous,
  })
  const { lists, items: known } = useStoreState(organizationId)
  const lastInView = useRef(0)
  const pages = list.data?.pages
  const items = useMemo(() => {
    const [first, last] = [pages?.at(0), pages?.at(-1)]
    return first && last ? selectRows({ lists, items: known }, first.list, last.end, currentId, new Date()) : []
  }, [lists, known, pages, currentId])

  /** Reads what is in view again, and the rest when it is scrolled to. */
  const reread = useCallback(() => {
    const { queryKey } = inboxQuery(organizationId, filters)
    queryClient.setQueryData<ListPages>(queryKey, (data) => data && trimPages(data, lastInView.current))
    void queryClient.invalidateQueries({
      queryKey: feedbackKey(organizationId),
      predicate: ({ queryHash }) => queryHash !== hashKey(queryKey),
    })
    void readAgain(queryClient, queryKey)
  }, [queryClient, organizationId, filters])

  const noteView = useCallback((lastIndex: number) => {
    lastInView.current = lastIndex
  }, [])

  return { list, items, reread, noteView, similarWords: pages?.[0]?.similarWords ?? noWords }
}

const noWords = {}
