import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { exportInstanceAudit, type InstanceAuditFilters, listInstanceAudit } from '#contract/superadmin-audit.ts'
import { call, send } from '#web/lib/api.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { TimeOrder } from '#web/ui/time-order.tsx'
import { AuditExport } from './audit-export.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { AuditList } from './audit-list.tsx'
import { type AuditSearch, isFiltered, readAuditSearch, toAuditFilters, writeAuditSearch } from './audit-search.ts'

const queryKey = ['superadmin', 'audit']
const pageSize = 50

/** Changes in all organisations and of the instance, for superadmins. The filters stand in the address. */
export function InstanceAuditScreen() {
  const [params, setParams] = useSearchParams()
  const search = readAuditSearch(params)
  const filters = {
    ...toAuditFilters(search),
    ...(search.organization !== '' && { organizationId: search.organization }),
    ...(search.q.trim() !== '' && { search: search.q.trim() }),
    ...(search.impersonation !== '' && { impersonationId: search.impersonation }),
    ...(search.order !== '' && { order: search.order }),
  }
  const log = useInfiniteQuery(instanceAuditQuery(filters))
  const show = (next: AuditSearch) => setParams(writeAuditSearch(next), { preventScrollReset: true })
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <p className="text-base text-muted">Changes in all organisations and of the instance.</p>
        <AuditExport
          queryKey={queryKey}
          request={(format) => send(exportInstanceAudit, { body: { ...filters, format } }, '*/*')}
        />
      </div>
      <AuditFilterBar
        search={search}
        onChange={show}
        words={
          <>
            <SearchField
              label="Search the audit log"
              placeholder="Name, address or action"
              value={search.q}
              onChange={(q) => show({ ...search, q })}
            />
            <TimeOrder
              isOldestFirst={search.order === 'oldest'}
              onChange={(isOldestFirst) => show({ ...search, order: isOldestFirst ? 'oldest' : '' })}
            />
          </>
        }
      />
      <AuditList
        log={log}
        isSearch={isFiltered(search)}
        onClear={() => setParams({})}
        onFilter={(change) => show({ ...search, ...change })}
      />
    </>
  )
}

function instanceAuditQuery(filters: InstanceAuditFilters) {
  return infiniteQueryOptions({
    queryKey: [...queryKey, filters],
    queryFn: ({ pageParam, signal }) =>
      call(listInstanceAudit, {
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
