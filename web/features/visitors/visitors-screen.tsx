import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { VisitorListItem } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VerifiedMark } from './verified-mark.tsx'
import { nameVisitor, toVisitorPath } from './visitor-name.ts'
import { visitorsQuery } from './visitor-queries.ts'

const typingPauseMs = 250

/** Identified visitors who sent feedback; `?q=` searches them. */
export default function VisitorsScreen() {
  const { organization } = useOrganization()
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const [typed, setTyped] = useState(q)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== q) setSearch(typed === '' ? {} : { q: typed }, { replace: true, preventScrollReset: true })
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, q, setSearch])
  const visitors = useInfiniteQuery(visitorsQuery(organization.id, q.trim()))
  const found = visitors.data?.pages.flatMap((page) => page.items)
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="font-semibold text-2xl">Visitors</h1>
          <p className="mt-1 text-base text-muted">Identified people who sent feedback, most recent first.</p>
        </div>
        <search className="w-full sm:w-80">
          <Input
            type="search"
            aria-label="Find a visitor"
            placeholder="Name, email or id"
            maxLength={200}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </search>
      </header>
      {found === undefined ? (
        visitors.error ? (
          <LoadFailure title="Couldn’t load visitors" error={visitors.error} onRetry={() => void visitors.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : found.length === 0 ? (
        <NoVisitors isSearch={q.trim() !== ''} />
      ) : (
        <>
          <ul className="mt-6 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm">
            {found.map((visitor) => (
              <VisitorRow key={visitor.key} visitor={visitor} />
            ))}
          </ul>
          {visitors.hasNextPage && (
            <Button
              variant="secondary"
              className="mt-4 self-center"
              loading={visitors.isFetchingNextPage}
              onClick={() => void visitors.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </div>
  )
}

function VisitorRow({ visitor }: { visitor: VisitorListItem }) {
  const name = nameVisitor(visitor)
  const details = [visitor.email, visitor.visitorId].filter((each) => each !== null && each !== name)
  return (
    <li>
      <Link to={toVisitorPath(visitor.key)} className="flex min-w-0 items-center gap-3 px-4 py-3 hover:bg-hover">
        <Avatar name={name} />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-1.5">
            <bdi className="truncate font-medium text-base text-foreground">{name}</bdi>
            {visitor.isVerified && <VerifiedMark />}
          </span>
          {details.length > 0 && <bdi className="block truncate text-muted text-sm">{details.join(' · ')}</bdi>}
        </span>
        <span className="shrink-0 text-right text-muted text-sm">
          <RelativeTime iso={visitor.lastSeenAt} />
        </span>
      </Link>
    </li>
  )
}

function NoVisitors({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <EmptyState icon={<SearchX />} title="No results" className="mt-6">
      No visitor’s name, email or id matches.
    </EmptyState>
  ) : (
    <EmptyState icon={<Users />} title="No visitors yet" className="mt-6 rounded-xl border border-border border-dashed">
      Visitors appear here when they leave an email address or your site identifies them.
    </EmptyState>
  )
}

function ListSkeleton() {
  return (
    <output className="mt-6 block divide-y divide-border rounded-lg border border-border bg-surface">
      <span className="sr-only">Loading visitors</span>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((name) => (
        <div key={name} className="flex items-center gap-3 px-4 py-3">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-48" />
        </div>
      ))}
    </output>
  )
}
