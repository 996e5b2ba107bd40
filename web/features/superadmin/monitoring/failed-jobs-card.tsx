import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { exportFailedJobs, type FailedJob } from '#contract/superadmin-monitoring.ts'
import { send } from '#web/lib/api.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { TimeOrder } from '#web/ui/time-order.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { DeleteJobDialog, RetryJobsDialog } from './failed-job-dialogs.tsx'
import { failedJobsQuery, type JobSort } from './monitoring-queries.ts'
import { useRetryJob } from './use-retry-job.ts'

/** Jobs that failed at their last attempt. Search and order stand in the address. */
export function FailedJobsCard() {
  const [params, setParams] = useSearchParams()
  const search = params.get('job') ?? ''
  const sort: JobSort = params.get('sort') === 'oldest' ? 'oldest' : 'latest'
  const change = (next: { search: string; sort: JobSort }) =>
    setParams(
      { ...(next.search !== '' && { job: next.search }), ...(next.sort === 'oldest' && { sort: 'oldest' }) },
      { preventScrollReset: true, replace: true },
    )
  const list = useInfiniteQuery(failedJobsQuery({ search, sort }))
  const jobs = list.data?.pages.flatMap(({ items }) => items)
  const count = list.data?.pages[0]?.count ?? 0
  const [isRetrying, setRetrying] = useState(false)
  const [deleted, setDeleted] = useState<FailedJob>()
  return (
    <Card aria-labelledby="jobs-title">
      <CardHeader>
        <CardTitle id="jobs-title">Failed jobs</CardTitle>
        <CardDescription>They failed at their last attempt, and wait until you retry or delete them.</CardDescription>
      </CardHeader>
      <CardContent>
        <search aria-label="Failed jobs" className="mb-3 flex flex-wrap items-center gap-2">
          <SearchField
            label="Search failed jobs"
            placeholder="Name or error"
            value={search}
            onChange={(words) => change({ search: words, sort })}
          />
          <TimeOrder
            label="Sort failed jobs"
            isOldestFirst={sort === 'oldest'}
            onChange={(isOldestFirst) => change({ search, sort: isOldestFirst ? 'oldest' : 'latest' })}
          />
          <span className="flex flex-wrap gap-2 sm:ml-auto">
            <CsvExport
              request={() => send(exportFailedJobs, { body: { ...(search !== '' && { search }), sort } }, '*/*')}
              failure="Couldn’t export the jobs"
              className=""
            />
            {count > 0 && <Button onClick={() => setRetrying(true)}>Retry all</Button>}
          </span>
        </search>
        {jobs === undefined ? (
          list.error ? (
            <LoadFailure title="Couldn’t load failed jobs" error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <ListSkeleton label="Loading failed jobs" />
          )
        ) : jobs.length === 0 ? (
          <p className="text-base text-muted">
            {search === '' ? 'No failed jobs.' : 'No failed job matches this search.'}
          </p>
        ) : (
          <>
            <ul aria-label="Failed jobs" aria-busy={list.isPlaceholderData} className="divide-y divide-border">
              {jobs.map((job) => (
                <li key={job.id}>
                  <FailedJobRow job={job} onDelete={() => setDeleted(job)} />
                </li>
              ))}
            </ul>
            <MoreButton list={list} className="mt-4 self-center" />
          </>
        )}
      </CardContent>
      {isRetrying && <RetryJobsDialog search={search} count={count} onClose={() => setRetrying(false)} />}
      {deleted && <DeleteJobDialog job={deleted} onClose={() => setDeleted(undefined)} />}
    </Card>
  )
}

function FailedJobRow({ job, onDelete }: { job: FailedJob; onDelete: () => void }) {
  const { id, name, attempts, lastError, failedAt } = job
  const retrying = useRetryJob(job)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <p className="font-medium text-base">
          {name} <span className="font-normal text-muted text-sm tabular-nums">#{id}</span>
        </p>
        {lastError !== null && <p className="text-danger-text text-sm">{lastError}</p>}
        <p className="text-muted text-sm">
          {formatMoment(failedAt)}, {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
        </p>
      </div>
      <span className="flex gap-2">
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Retry ${name} #${id}`}
          loading={retrying.isPending}
          onClick={() => retrying.mutate()}
        >
          Retry
        </Button>
        <Button variant="ghost" size="sm" aria-label={`Delete ${name} #${id}`} onClick={onDelete}>
          Delete
        </Button>
      </span>
    </div>
  )
}
