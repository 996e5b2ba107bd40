import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { exportInstanceOrganizations } from '#contract/superadmin-organizations.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { OrganizationFilters } from './organization-filters.tsx'
import {
  organizationsQuery,
  readOrganizationSearch,
  toOrganizationFilters,
  writeOrganizationSearch,
} from './organization-queries.ts'
import { OrganizationRow } from './organization-row.tsx'

/** The organisations of the instance. The filters stand in the address. */
export function OrganizationsScreen() {
  const [params, setParams] = useSearchParams()
  const search = readOrganizationSearch(params)
  const list = useInfiniteQuery(organizationsQuery(search))
  const rows = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <OrganizationFilters
          search={search}
          onChange={(next) => setParams(writeOrganizationSearch(next), { preventScrollReset: true, replace: true })}
        />
        <CsvExport
          request={() => send(exportInstanceOrganizations, { body: toOrganizationFilters(search) }, '*/*')}
          failure="Couldn’t export the organisations"
        />
      </div>
      {rows === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load organisations" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading organisations" />
        )
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title="No results"
          action={
            <Button variant="secondary" onClick={() => setParams({})}>
              Clear filters
            </Button>
          }
        >
          No organisation matches these filters.
        </EmptyState>
      ) : (
        <>
          <ul
            aria-label="Organisations"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {rows.map((organization) => (
              <li key={organization.id}>
                <OrganizationRow organization={organization} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
    </>
  )
}
