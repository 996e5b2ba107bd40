import { AlarmClock, Archive, CircleCheck, Inbox, SearchX, ShieldCheck, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { findNextStep } from '#web/shared/next-step.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Filters, goToPlace, hasFilters, writeInboxSearch } from '../filters/feedback-filters.ts'
import { useRowHeight } from './row-height.ts'

/** The list while it loads: rows of the same height. */
export function ListSkeleton() {
  const rowHeight = useRowHeight()
  return (
    <output className="block min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">Loading feedback</span>
      {widths.map((width, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: shapes without identity
          key={index}
          className="flex items-start gap-3 border-border border-b py-3 dense:py-1.5 pr-4 pl-6"
          style={{ height: rowHeight }}
        >
          <Skeleton className="size-4 shrink-0 rounded-full" />
          <div className="flex-1">
            <Skeleton className="h-3.5" style={{ width: `${width}%` }} />
            <Skeleton className="mt-2.5 h-3 w-2/5" />
          </div>
        </div>
      ))}
    </output>
  )
}

const widths = [82, 64, 91, 55, 76, 88, 60, 70, 84, 66]

/** No item matches the filters or words. */
export function NoMatch({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const isSearchAlone = filters.q !== '' && !hasFilters({ ...filters, q: '' })
  /** The words, if nothing else was looked for. */
  const q = isSearchAlone ? filters.q : undefined
  const elsewhere = { ...filters, view: '' }
  return (
    <EmptyState
      icon={<SearchX />}
      title={
        q === undefined ? (
          'No results'
        ) : (
          <>
            No results for “<bdi className="[overflow-wrap:anywhere]">{q}</bdi>”
          </>
        )
      }
      action={
        <>
          <Button variant="secondary" onClick={onClear}>
            {q === undefined ? 'Clear filters' : 'Clear search'}
          </Button>
          {filters.location === 'inbox' && filters.stage !== 'all' && (
            <Button asChild variant="ghost">
              <Link to={{ search: writeInboxSearch({ ...elsewhere, stage: 'all' }, undefined) }}>
                {filters.stage === 'open' ? 'Search done items too' : 'Search open items too'}
              </Link>
            </Button>
          )}
          {filters.location === 'inbox' && filters.stage === 'all' && (
            <Button asChild variant="ghost">
              <Link to={{ search: writeInboxSearch({ ...elsewhere, location: 'archived' }, undefined) }}>
                Search the archive
              </Link>
            </Button>
          )}
        </>
      }
      className="flex-1"
    >
      {q === undefined ? 'No feedback matches these filters.' : 'Check the spelling, or try other words.'}
    </EmptyState>
  )
}

const emptyPlaces = {
  open: {
    icon: <Inbox />,
    title: 'Inbox zero',
    text: 'All feedback is handled. New feedback appears here automatically.',
    next: { stage: 'done', label: 'Show done items' },
  },
  done: {
    icon: <CircleCheck />,
    title: 'Nothing done yet',
    text: 'Items that you resolve or close move here.',
    next: { stage: 'open', label: 'Show open items' },
  },
  all: {
    icon: <Inbox />,
    title: 'The inbox is empty',
    text: 'New feedback appears here automatically.',
    next: undefined,
  },
  snoozed: {
    icon: <AlarmClock />,
    title: 'Nothing snoozed',
    text: 'Snoozed items wait here and return to the inbox at their time, or when the visitor writes.',
    next: { stage: 'open', label: 'Back to the inbox' },
  },
  archived: {
    icon: <Archive />,
    title: 'Nothing archived',
    text: 'Archived items leave the inbox. You can find them here and move them back.',
    next: { stage: 'open', label: 'Back to the inbox' },
  },
  spam: {
    icon: <ShieldCheck />,
    title: 'No spam',
    text: 'Suspected spam waits here for review. It is never deleted automatically.',
    next: { stage: 'open', label: 'Back to the inbox' },
  },
  trash: {
    icon: <Trash2 />,
    title: 'The trash is empty',
    text: 'Deleted items stay here for 30 days and can be restored.',
    next: { stage: 'open', label: 'Back to the inbox' },
  },
} as const

/** An empty location or stage, while others have items. */
export function EmptyPlace({ filters }: { filters: Filters }) {
  const { icon, title, text, next } = emptyPlaces[filters.location === 'inbox' ? filters.stage : filters.location]
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        next && (
          <Button asChild variant="secondary">
            <Link to={{ search: writeInboxSearch(goToPlace(filters, 'inbox', next.stage), undefined) }}>
              {next.label}
            </Link>
          </Button>
        )
      }
      className="flex-1"
    >
      {text}
    </EmptyState>
  )
}

/** An organisation without feedback: the next step towards some. */
export function NoFeedbackYet({ projects }: { projects: readonly Project[] | undefined }) {
  const { can } = useOrganization()
  const { text, action } = findNextStep(projects, can('manage_projects'))
  return (
    <EmptyState icon={<Inbox />} title="No feedback yet" action={action} className="flex-1">
      {text}
    </EmptyState>
  )
}

/** Beside the list while no item is open. */
export function NothingOpen() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-6 text-center text-base text-muted">
      <p>Select an item</p>
      <p className="flex items-center gap-1.5 text-sm">
        <Kbd>j</Kbd>
        <Kbd>k</Kbd>
        to move,
        <Kbd>Enter</Kbd>
        to open,
        <Kbd>?</Kbd>
        for all keys
      </p>
    </div>
  )
}
