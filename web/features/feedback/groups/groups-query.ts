import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { groupFeedback, type InboxGrouping } from '#contract/inbox.ts'
import { call } from '#web/lib/api.ts'
import { membersQuery } from '#web/lib/members-query.ts'
import { awaitEvents } from '#web/lib/organization-events.ts'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { type ListPage, type PageStart, readPage } from '../feedback-queries.ts'
import { type Filters, toSelection } from '../filters/feedback-filters.ts'
import { countsKey, listsKey } from '../query-keys.ts'
import { groupTimeZone, type Names, orderGroups } from './group-values.ts'
import { planSegments, type Segment } from './plan-segments.ts'

/** Filters of a list that is grouped. */
export interface GroupedFilters extends Filters {
  readonly group: InboxGrouping
}

export function isGrouped(filters: Filters): filters is GroupedFilters {
  return filters.group !== 'none'
}

/** How many items each group has. */
export function groupsQuery(organizationId: string, filters: GroupedFilters) {
  return queryOptions({
    // Under the key of the counts: live changes outdate both.
    queryKey: [...countsKey(organizationId), 'groups', { ...filters, view: '', sort: 'newest' }],
    queryFn: async ({ signal }) => {
      await awaitEvents(organizationId)
      const query = { ...toSelection(filters), by: filters.group, timeZone: groupTimeZone(filters) }
      return call(groupFeedback, { params: { organizationId }, query, signal })
    },
    staleTime: 10_000,
    networkMode: 'always',
  })
}

/** A page of one of the lists that make up a grouped list. */
export interface GroupedPage extends ListPage {
  readonly segment: number
  /** All of the list, as they were planned with its first page. */
  readonly segments: readonly Segment[]
}

interface GroupedStart {
  readonly segments: readonly Segment[]
  readonly segment: number
  readonly start: PageStart | undefined
}

/**
 * The inbox in groups, page by page: each page is of one list of the store, which holds a group or several small ones.
 *
 * @param isShown whether any of these groups is open
 */
export function groupedInboxQuery(
  organizationId: string,
  filters: GroupedFilters,
  isShown: (values: readonly string[]) => boolean,
) {
  const listOf = (segment: Segment) => JSON.stringify(['grouped', organizationId, filters.group, segment.filters])
  return infiniteQueryOptions({
    queryKey: [...listsKey(organizationId), 'grouped', { ...filters, view: '' }],
    queryFn: async ({ client, pageParam, signal }): Promise<GroupedPage> => {
      await awaitEvents(organizationId)
      const segments = pageParam?.segments ?? (await readSegments(client, organizationId, filters))
      const index = pageParam?.segment ?? 0
      const segment = segments[index]
      // Without items there are no groups.
      if (!segment)
        return { list: '', count: 0, end: null, nextCursor: null, similarWords: {}, segment: index, segments }
      const list = listOf(segment)
      const page = await readPage(client, organizationId, segment.filters, pageParam?.start, signal, list)
      return { ...page, segment: index, segments }
    },
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as GroupedStart | undefined,
    getNextPageParam: (_, pages) => findNextStart(pages, isShown),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** The first list that is not read to its end and has an open group. */
function findNextStart(
  pages: readonly GroupedPage[],
  isShown: (values: readonly string[]) => boolean,
): GroupedStart | undefined {
  const segments = pages[0]?.segments ?? []
  for (const [segment, { values }] of segments.entries()) {
    const last = pages.findLast((page) => page.segment === segment)
    if (last?.nextCursor === null || !isShown(values)) continue
    return { segments, segment, start: last && { cursor: last.nextCursor, after: last.end ?? undefined } }
  }
  return undefined
}

async function readSegments(
  queryClient: QueryClient,
  organizationId: string,
  filters: GroupedFilters,
): Promise<Segment[]> {
  const by = filters.group
  const [{ groups }, names] = await Promise.all([
    queryClient.fetchQuery(groupsQuery(organizationId, filters)),
    readNames(queryClient, organizationId, by),
  ])
  const counts = new Map(groups.map(({ value, count }) => [value, count]))
  const values = orderGroups(filters, by, [...counts.keys()], names)
  return planSegments(filters, by, { values, counts })
}

async function readNames(queryClient: QueryClient, organizationId: string, by: InboxGrouping): Promise<Names> {
  if (by === 'assignee') {
    const { items } = await queryClient.ensureQueryData(membersQuery(organizationId))
    return new Map(items.map(({ userId, name }) => [userId, name]))
  }
  if (by !== 'project') return new Map()
  const { items } = await queryClient.ensureQueryData(projectsQuery(organizationId))
  return new Map(items.map(({ id, name }) => [id, name]))
}
