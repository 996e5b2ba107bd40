import { queryOptions } from '@tanstack/react-query'
import { listGuides, readGuide } from '#contract/docs.ts'
import { call } from '#web/lib/api.ts'

/** Guides change with the version of the server. */
const staleAfterMs = 3_600_000

export const guidesQuery = queryOptions({
  queryKey: ['guides'],
  queryFn: ({ signal }) => call(listGuides, { signal }),
  select: ({ items }) => items,
  staleTime: staleAfterMs,
})

export function guideQuery(path: string) {
  return queryOptions({
    queryKey: ['guides', path],
    queryFn: ({ signal }) => call(readGuide, { params: { path }, signal }),
    staleTime: staleAfterMs,
  })
}
