import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { exportAudit } from '#contract/audit.ts'
import { send } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { AuditExport } from './audit-export.tsx'
import { ActorPicker, AuditFilterBar } from './audit-filter-bar.tsx'
import { AuditList } from './audit-list.tsx'
import { auditQuery } from './audit-query.ts'
import { type AuditSearch, isFiltered, readAuditSearch, toAuditFilters, writeAuditSearch } from './audit-search.ts'

/** Who changed what in the organisation. The filters stand in the address. */
export default function AuditScreen() {
  const { organization } = useOrganization()
  const [params, setParams] = useSearchParams()
  const search = readAuditSearch(params)
  const filters = toAuditFilters(search)
  const log = useInfiniteQuery(auditQuery(organization.id, filters))
  const entries = log.data?.pages.flatMap((page) => page.items)
  const show = (next: AuditSearch) => setParams(writeAuditSearch(next), { preventScrollReset: true })
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="font-semibold text-2xl">Audit log</h1>
          <p className="mt-1 text-base text-muted">Changes to members, settings and data, latest first.</p>
        </div>
        <AuditExport
          queryKey={['audit', organization.id]}
          request={(format) =>
            send(exportAudit, { params: { organizationId: organization.id }, body: { ...filters, format } }, '*/*')
          }
        />
      </header>
      <AuditFilterBar search={search} onChange={show}>
        <ActorPicker
          search={search}
          actorName={entries?.find(({ actor }) => actor.id === search.actor)?.actor.name ?? undefined}
          onChange={show}
        />
      </AuditFilterBar>
      <AuditList
        log={log}
        isSearch={isFiltered(search)}
        onClear={() => setParams({})}
        onFilter={(change) => show({ ...search, ...change })}
      />
    </div>
  )
}
