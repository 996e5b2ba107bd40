import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  getVisitor,
  getVisitorErasure,
  listVisitorFeedback,
  listVisitors,
  previewErasure,
  type VisitorSort,
} from '#contract/visitors.ts'
import { call } from '#web/lib/api.ts'

const pageSize = 50
const foundVisitors = 4
const askAgainMs = 700

/** Everything cached of an organisation's visitors. */
export const visitorsKey = (organizationId: string) => ['visitors', organizationId] as const

/** Visitors whose name, address or id contains `q`, page by page. */
export function visitorsQuery(organizationId: string, q: string, sort: VisitorSort = 'seen') {
  return infiniteQueryOptions({
    queryKey: [...visitorsKey(organizationId), 'list', q, sort],
    queryFn: ({ pageParam, signal }) =>
      call(listVisitors, {
        params: { organizationId },
        query: {
          limit: pageSize,
          ...(sort !== 'seen' && { sort }),
          ...(q !== '' && { q }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
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

/** The few visitors seen last whose name, address or id holds `q`. */
export function findVisitorsQuery(organizationId: string, q: string) {
  return queryOptions({
    queryKey: [...visitorsKey(organizationId), 'find', q],
    queryFn: async ({ signal }) => {
      const query = { q, limit: foundVisitors }
      return (await call(listVisitors, { params: { organizationId }, query, signal })).items
    },
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
}

/** One visitor's details. */
export function visitorQuery(organizationId: string, visitor: string) {
  return queryOptions({
    queryKey: [...visitorsKey(organizationId), 'one', visitor],
    queryFn: ({ signal }) => call(getVisitor, { params: { organizationId }, query: { visitor }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** A visitor's items in every location and project, page by page. */
export function visitorItemsQuery(organizationId: string, visitor: string) {
  return infiniteQueryOptions({
    queryKey: [...visitorsKey(organizationId), 'items', visitor],
    queryFn: ({ pageParam, signal }) =>
      call(listVisitorFeedback, {
        params: { organizationId },
        query: { visitor, limit: pageSize, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** What an erasure would delete now. */
export function erasurePreviewQuery(organizationId: string, visitor: string) {
  return queryOptions({
    queryKey: [...visitorsKey(organizationId), 'erasure-preview', visitor],
    queryFn: ({ signal }) => call(previewErasure, { params: { organizationId }, query: { visitor }, signal }),
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })
}

/** Progress of an erasure; polled until it is done. */
export function erasureQuery(organizationId: string, erasureId: string) {
  return queryOptions({
    queryKey: ['erasures', organizationId, erasureId],
    queryFn: ({ signal }) => call(getVisitorErasure, { params: { organizationId, erasureId }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : askAgainMs),
    networkMode: 'always',
  })
}
