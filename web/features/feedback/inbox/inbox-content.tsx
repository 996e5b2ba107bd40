import type { ReactNode } from 'react'
import type { Project } from '#contract/projects.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { clearFilters, type Filters, hasFilters } from '../filters/feedback-filters.ts'
import { EmptyPlace, ListSkeleton, NoFeedbackYet, NoMatch } from './inbox-states.tsx'

interface ContentProps {
  list: { data: unknown; error: Error | null; refetch: () => unknown }
  /** Rows to show. */
  count: number
  filters: Filters
  counts: { locations: Readonly<Record<string, number>> } | undefined
  projects: readonly Project[] | undefined
  onClear: (filters: Filters) => void
  /** The list. */
  children: ReactNode
}

/** The list, or what stands in its place: loading, failed, nothing yet, nothing here, nothing that matches. */
export function InboxContent({ list, count, filters, counts, projects, onClear, children }: ContentProps) {
  if (list.data === undefined) {
    if (list.error === null) return <ListSkeleton />
    return <LoadFailure title="Couldn’t load feedback" error={list.error} onRetry={() => list.refetch()} />
  }
  if (count > 0) return children
  const noMatch = <NoMatch filters={filters} onClear={() => onClear(clearFilters(filters))} />
  // Selected projects don't make a location less empty.
  if (hasFilters({ ...filters, project: [] })) return noMatch
  const isAnythingElsewhere = Object.values(counts?.locations ?? {}).some((number) => number > 0)
  if (filters.location !== 'inbox' || isAnythingElsewhere) return <EmptyPlace filters={filters} />
  if (filters.project.length > 0) return noMatch
  return <NoFeedbackYet projects={projects} />
}
