import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MailCheck, SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { exportOutboxEmails } from '#contract/superadmin-emails.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { EmailFigures } from './email-figures.tsx'
import { EmailFilters } from './email-filters.tsx'
import { emailSummaryQuery, emailsQuery } from './email-queries.ts'
import { EmailRow } from './email-row.tsx'
import { isFiltered, readEmailSearch, toFilters, writeEmailSearch } from './email-search.ts'
import { RetryFailed } from './retry-failed.tsx'

/** The emails of the instance with their status. The filters stand in the address. */
export function EmailMonitoringScreen() {
  const [params, setParams] = useSearchParams()
  const search = readEmailSearch(params)
  const summary = useQuery(emailSummaryQuery)
  const list = useInfiniteQuery(emailsQuery(search))
  const rows = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <EmailFigures summary={summary.data} error={summary.error} />
      <div className="mt-6 mb-4 flex flex-wrap items-center gap-2">
        <EmailFilters
          search={search}
          kinds={summary.data?.kinds ?? []}
          onChange={(next) => setParams(writeEmailSearch(next), { preventScrollReset: true, replace: true })}
        />
        <CsvExport
          request={() => send(exportOutboxEmails, { body: toFilters(search) }, '*/*')}
          failure="Couldn’t export the emails"
        />
        {summary.data !== undefined && summary.data.fortnight.failed > 0 && <RetryFailed />}
      </div>
      {rows === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load emails" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading emails" />
        )
      ) : rows.length === 0 ? (
        isFiltered(search) ? (
          <EmptyState
            icon={<SearchX />}
            title="No results"
            action={
              <Button variant="secondary" onClick={() => setParams({})}>
                Clear filters
              </Button>
            }
          >
            No email matches these filters.
          </EmptyState>
        ) : (
          <EmptyState icon={<MailCheck />} title="No emails yet">
            Emails appear here as soon as Earshot sends one.
          </EmptyState>
        )
      ) : (
        <>
          <ul
            aria-label="Emails"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {rows.map((email) => (
              <li key={email.id}>
                <EmailRow email={email} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
    </>
  )
}
