import { hashKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { readAgain } from '#web/lib/query-client.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { useStoreState } from '../feedback-store.ts'
import type { Filters } from '../filters/feedback-filters.ts'
import type { MatchCount } from '../filters/match-count.ts'
import { groupRows } from './group-rows.ts'
import { type GroupedFilters, groupedInboxQuery, groupsQuery, isGrouped } from './groups-query.ts'

/** A heading of the grouped list. */
export interface ListGroup {
  readonly value: string
  /** Undefined: not counted yet. */
  readonly count: MatchCount | undefined
  readonly isOpen: boolean
  /** Rows below it; none while it is closed. */
  readonly rows: number
}

const noneClosed: ReadonlySet<string> = new Set()

/** The inbox in groups. Reads nothing while it is not grouped. */
export function useGroupedList(organizationId: string, filters: Filters, currentId: string | undefined) {
  const queryClient = useQueryClient()
  const enabled = isGrouped(filters)
  const grouped: GroupedFilters = enabled ? filters : { ...filters, group: 'status' }
  const [closed, setClosed] = useState({ by: filters.group, values: noneClosed })
  const closedValues = closed.by === filters.group ? closed.values : noneClosed
  const query = groupedInboxQuery(organizationId, grouped, (values) => values.some((each) => !closedValues.has(each)))
  const list = useInfiniteQuery({
    ...query,
    enabled,
    // Rows of other groups would stand below the wrong headings.
    placeholderData: (previous, previousQuery) => {
      const before = previousQuery?.queryKey.at(-1)
      return typeof before === 'object' && before.group === filters.group ? previous : undefined
    },
  })
  const { data: counts } = useQuery({ ...groupsQuery(organizationId, grouped), enabled })
  const { lists, items: known } = useStoreState(organizationId)
  const pages = list.data?.pages
  const all = useMemo(
    () =>
      enabled && pages
        ? groupRows({ lists, items: known }, pages, { ...filters, group: filters.group }, currentId, new Date())
        : [],
    [enabled, pages, lists, known, filters, currentId],
  )
  const counted = new Map(counts?.groups.map(({ value, count }) => [value, count]))

  const groups = all
    .map(({ value, items, isWhole }): ListGroup => {
      const isOpen = !closedValues.has(value)
      const least = Math.max(counted.get(value) ?? 0, items.length)
      const count = isWhole
        ? { count: items.length, limit: Number.POSITIVE_INFINITY }
        : counts && { count: least, limit: counts.isComplete ? Number.POSITIVE_INFINITY : least }
      return { value, count, isOpen, rows: isOpen ? items.length : 0 }
    })
    .filter(({ count }) => count === undefined || count.count > 0)
  const items = useMemo(
    () => all.flatMap(({ value, items: own }) => (closedValues.has(value) ? [] : own)),
    [all, closedValues],
  )
  const toggle = useCallback(
    (value: string) =>
      setClosed(({ by, values }) => {
        const next = new Set(by === filters.group ? values : noneClosed)
        if (!next.delete(value)) next.add(value)
        return { by: filters.group, values: next }
      }),
    [filters.group],
  )

  const { queryKey } = query
  const hash = JSON.stringify(queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash stands for the key
  const reread = useCallback(() => {
    void queryClient.invalidateQueries({
      queryKey: feedbackKey(organizationId),
      predicate: ({ queryHash }) => queryHash !== hashKey(queryKey),
    })
    void readAgain(queryClient, queryKey)
  }, [queryClient, organizationId, hash])
  // Someone was assigned, or a project got, their first item: it is in no group that was planned.
  const planned = new Set(pages?.[0]?.segments.flatMap(({ values }) => values))
  const newcomers =
    enabled && filters.group !== 'day' && pages ? [...counted.keys()].filter((each) => !planned.has(each)) : []
  const newcomer = newcomers.join()
  useEffect(() => {
    if (newcomer !== '') reread()
  }, [newcomer, reread])

  return { list, items, groups, toggle, reread, similarWords: pages?.[0]?.similarWords }
}
