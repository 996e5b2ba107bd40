import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  listTestedProjects,
  listTestItems,
  type TestedProject,
  type TestedProjectFilters,
} from '#contract/superadmin-widget-test.ts'
import { call } from '#web/lib/api.ts'

/** Projects of the instance, page by page. */
export function testedProjectsQuery(filters: TestedProjectFilters) {
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'widget-test', 'projects', filters],
    queryFn: ({ pageParam, signal }) =>
      call(listTestedProjects, {
        query: { ...filters, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** Test items that have arrived. */
export function testItemsQuery({ id, organization }: TestedProject) {
  return queryOptions({
    queryKey: ['superadmin', 'widget-test', 'items', id],
    queryFn: ({ signal }) =>
      call(listTestItems, { params: { organizationId: organization.id, projectId: id }, signal }),
    refetchInterval: 5_000,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
