import { Archive, Inbox, SearchX, ShieldCheck, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { InboxLocation } from '../filters/feedback-filters.ts'
import { rowHeightPixels } from './feedback-row.tsx'

/** The list while it loads: rows of the same height. */
export function ListSkeleton() {
  return (
    <output className="block min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">Loading feedback</span>
      {widths.map((width, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: shapes without identity
          key={index}
          className="flex items-start gap-3 border-border border-b py-3 pr-4 pl-6"
          style={{ height: rowHeightPixels }}
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

/** No item matches the filters or words. `archiveSearch`: the address of the same search in the archive. */
export function NoMatch({
  q,
  archiveSearch,
  onClear,
}: {
  /** The words, if nothing else was looked for. */
  q: string | undefined
  archiveSearch: string | undefined
  onClear: () => void
}) {
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
          {archiveSearch !== undefined && (
            <Button asChild variant="ghost">
              <Link to={{ search: archiveSearch }}>Search the archive</Link>
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

const emptyLocations = {
  inbox: {
    icon: <Inbox />,
    title: 'Inbox zero',
    text: 'All feedback is handled. New feedback appears here automatically.',
  },
  archived: {
    icon: <Archive />,
    title: 'Nothing archived',
    text: 'Archived items leave the inbox. You can find them here and move them back.',
  },
  spam: {
    icon: <ShieldCheck />,
    title: 'No spam',
    text: 'Suspected spam waits here for review. It is never deleted automatically.',
  },
  trash: {
    icon: <Trash2 />,
    title: 'The trash is empty',
    text: 'Deleted items stay here for 30 days and can be restored.',
  },
} as const

/** An empty location, while others have items. */
export function EmptyLocation({ location }: { location: InboxLocation }) {
  const { icon, title, text } = emptyLocations[location]
  return (
    <EmptyState icon={icon} title={title} className="flex-1">
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

function findNextStep(
  projects: readonly Project[] | undefined,
  canManageProjects: boolean,
): { text: string; action?: ReactNode } {
  if (projects === undefined) return { text: 'New feedback appears here as soon as it is sent.' }
  const waiting = projects.find(({ widgetLastLoadedAt }) => widgetLastLoadedAt === null)
  if (projects.length > 0 && (waiting === undefined || projects.some(({ widgetLastLoadedAt }) => widgetLastLoadedAt))) {
    return { text: 'The widget is on your site. New feedback appears here as soon as it is sent.' }
  }
  if (waiting) {
    return {
      text: 'Install the widget on your website to collect feedback.',
      action: (
        <Button asChild>
          <Link to={`/dashboard/projects/${waiting.id}?install=1`}>Install the widget</Link>
        </Button>
      ),
    }
  }
  if (!canManageProjects) return { text: 'Ask the owner of your organisation to create a project.' }
  return {
    text: 'Create a project for your website and install the widget.',
    action: (
      <Button asChild>
        <Link to="/dashboard/projects/new">Create a project</Link>
      </Button>
    ),
  }
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
