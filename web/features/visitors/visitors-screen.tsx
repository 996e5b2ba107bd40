import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchX, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type VisitorSort, visitorSorts } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { findNextStep } from '#web/shared/next-step.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { visitorsQuery } from './visitor-queries.ts'
import { SortHeadings, SortSelect, VisitorRow } from './visitor-row.tsx'

const typingPauseMs = 250

/** Identified visitors who sent feedback; `?q=` searches them, `?sort=` orders them. */
export default function VisitorsScreen() {
  const { organization } = useOrganization()
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const sort = visitorSorts.find((each) => each === search.get('sort')) ?? 'seen'
  const [typed, setTyped] = useState(q)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== q) setSearch(toSearch(typed, sort), { replace: true, preventScrollReset: true })
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, q, sort, setSearch])
  const visitors = useInfiniteQuery(visitorsQuery(organization.id, q.trim(), sort))
  const found = visitors.data?.pages.flatMap((page) => page.items)
  const clear = () => {
    setTyped('')
    setSearch(toSearch('', sort), { replace: true })
  }
  const sortBy = (by: VisitorSort) => setSearch(toSearch(typed, by), { replace: true, preventScrollReset: true })
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="font-semibold text-2xl">Visitors</h1>
          <p className="mt-1 text-base text-muted">Identified people who sent feedback.</p>
        </div>
        <search className="flex w-full gap-2 sm:w-auto">
          <Input
            type="search"
            aria-label="Find a visitor"
            placeholder="Name, email or id"
            className="min-w-0 flex-1 sm:w-80"
            maxLength={200}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <SortSelect sort={sort} onSort={sortBy} />
        </search>
      </header>
      {found === undefined ? (
        visitors.error ? (
          <LoadFailure title="Couldn’t load visitors" error={visitors.error} onRetry={() => void visitors.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : found.length === 0 ? (
        q.trim() === '' ? (
          <NoVisitors />
        ) : (
          <NoResults onClear={clear} />
        )
      ) : (
        <>
          <div className="mt-6 overflow-hidden rounded-lg border border-border bg-surface shadow-sm">
            <SortHeadings sort={sort} onSort={sortBy} />
            <ul aria-label="Visitors" className="divide-y divide-border">
              {found.map((visitor) => (
                <VisitorRow key={visitor.key} visitor={visitor} />
              ))}
            </ul>
          </div>
          <MoreButton list={visitors} className="mt-4 self-center" />
        </>
      )}
    </div>
  )
}

/** The search of the address, without what is as usual. */
function toSearch(q: string, sort: VisitorSort): Record<string, string> {
  return { ...(q !== '' && { q }), ...(sort !== 'seen' && { sort }) }
}

function NoResults({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="No results"
      className="mt-6"
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      No visitor’s name, email or id matches.
    </EmptyState>
  )
}

/** Before the first identified visitor: what identifies one, and the next step. */
function NoVisitors() {
  const { organization, can } = useOrganization()
  const projects = useQuery(projectsQuery(organization.id)).data
  const [installed] = projects?.filter(({ widgetLastLoadedAt }) => widgetLastLoadedAt !== null) ?? []
  const { action } = findNextStep(projects, can('manage_projects'))
  return (
    <EmptyState
      icon={<Users />}
      title="No visitors yet"
      className="mt-6 rounded-xl border border-border border-dashed"
      action={
        installed ? (
          <Button asChild variant="secondary">
            <Link to={`/dashboard/projects/${installed.id}/widget`}>Open widget settings</Link>
          </Button>
        ) : (
          action
        )
      }
    >
      Visitors appear here when they leave an email address or your site identifies them.
    </EmptyState>
  )
}

function ListSkeleton() {
  return (
    <output className="mt-6 block divide-y divide-border rounded-lg border border-border bg-surface">
      <span className="sr-only">Loading visitors</span>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((name) => (
        <div key={name} className="flex items-center gap-3 px-4 py-3 dense:py-1.5">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-48" />
        </div>
      ))}
    </output>
  )
}
