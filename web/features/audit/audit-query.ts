import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type AuditFilters, listAudit } from '#contract/audit.ts'
import { call } from '#web/lib/api.ts'

const pageSize = 50

/** The audit log, latest first, page by page. */
export function auditQuery(organizationId: string, filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit', organizationId, filters],
    queryFn: ({ pageParam, signal }) =>
      call(listAudit, {
        params: { organizationId },
        query: { ...filters, limit: pageSize, ...(pageParam !== undefined && { cursor: pageParam }) },
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
