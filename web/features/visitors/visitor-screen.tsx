import { useQuery } from '@tanstack/react-query'
import { Inbox, UserX } from 'lucide-react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Visitor } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EraseVisitor } from './erase-visitor.tsx'
import { ErasureProgress } from './erasure-progress.tsx'
import { ExportVisitor } from './export-visitor.tsx'
import { JoinedVisitors } from './joined-visitors.tsx'
import { MergeVisitor } from './merge-visitor.tsx'
import { VerifiedMark } from './verified-mark.tsx'
import { VisitorFacts } from './visitor-facts.tsx'
import { VisitorItems } from './visitor-items.tsx'
import { visitorQuery } from './visitor-queries.ts'

/** One visitor with their items. `?erasure=` shows the progress of an erasure. */
export default function VisitorScreen() {
  const { visitor: key = '' } = useParams()
  const { organization } = useOrganization()
  const [search] = useSearchParams()
  const erasureId = search.get('erasure')
  const { data, error, refetch } = useQuery({
    ...visitorQuery(organization.id, key),
    enabled: erasureId === null,
  })
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <BackLink to="/dashboard/visitors">Visitors</BackLink>
      <title>{`${data && erasureId === null ? nameOf(data) : 'Visitor'} · Earshot`}</title>
      {(erasureId !== null || !data) && <h1 className="sr-only">Visitor</h1>}
      {erasureId !== null ? (
        <ErasureProgress erasureId={erasureId} />
      ) : data ? (
        <VisitorDetail key={key} visitor={data} />
      ) : error ? (
        <VisitorFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <VisitorSkeleton />
      )}
    </div>
  )
}

function nameOf({ names, emails, key }: Visitor): string {
  return names[0] ?? emails[0] ?? key
}

function VisitorDetail({ visitor }: { visitor: Visitor }) {
  const { can } = useOrganization()
  const name = nameOf(visitor)
  return (
    <>
      <header className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={name} className="size-11" />
          <div className="min-w-0">
            <div className="flex min-w-0 items-center gap-2">
              <h1 className="min-w-0 break-words font-semibold text-2xl" dir="auto">
                {name}
              </h1>
              {visitor.isVerified && <VerifiedMark />}
            </div>
            {visitor.emails[0] !== undefined && visitor.emails[0] !== name && (
              <p className="break-all text-base text-muted">
                <bdi>{visitor.emails[0]}</bdi>
              </p>
            )}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {can('manage_feedback') && <MergeVisitor visitor={visitor} />}
          {can('export_feedback') && <ExportVisitor visitor={visitor.key} />}
          {can('delete_feedback') && <EraseVisitor visitor={visitor} />}
          <Button asChild>
            <Link to={`/dashboard/feedback?visitor=${encodeURIComponent(visitor.key)}`}>
              <Inbox aria-hidden="true" />
              View in inbox
            </Link>
          </Button>
        </div>
      </header>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
        <VisitorItems visitor={visitor.key} projects={visitor.projects} />
        <div className="flex min-w-0 flex-col gap-6">
          <VisitorFacts visitor={visitor} />
          <JoinedVisitors visitor={visitor} />
        </div>
      </div>
    </>
  )
}

function VisitorFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <DetailFailure
      error={error}
      failure="Couldn’t load the visitor"
      onRetry={onRetry}
      icon={<UserX />}
      title="Visitor not found"
      back={{ to: '/dashboard/visitors', label: 'All visitors' }}
    >
      This visitor was erased or never sent feedback.
    </DetailFailure>
  )
}

function VisitorSkeleton() {
  return (
    <output className="mt-4 block">
      <span className="sr-only">Loading visitor</span>
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full" />
        <Skeleton className="h-6 w-56" />
      </div>
      <div className="mt-6 grid gap-6 lg:grid-cols-[1fr_20rem]">
        <Skeleton className="h-64 rounded-lg" />
        <Skeleton className="h-64 rounded-lg" />
      </div>
    </output>
  )
}
