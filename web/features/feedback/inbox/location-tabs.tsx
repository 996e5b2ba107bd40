import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganization } from '#web/lib/organization.tsx'
import { locationLabels, stageLabels } from '#web/shared/feedback-labels.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { cn } from '#web/ui/class-names.ts'
import { useCurrentInView } from '#web/ui/use-current-in-view.ts'
import { countsQuery } from '../feedback-queries.ts'
import {
  type Filters,
  goToPlace,
  type InboxLocation,
  type Stage,
  writeInboxSearch,
} from '../filters/feedback-filters.ts'

interface Tab {
  location: InboxLocation
  stage: Stage
  label: string
}

const tabs: readonly Tab[] = [
  { location: 'inbox', stage: 'open', label: stageLabels.open },
  { location: 'inbox', stage: 'done', label: stageLabels.done },
  { location: 'inbox', stage: 'all', label: stageLabels.all },
  { location: 'snoozed', stage: 'all', label: locationLabels.snoozed },
  { location: 'archived', stage: 'all', label: locationLabels.archived },
  { location: 'spam', stage: 'all', label: locationLabels.spam },
  { location: 'trash', stage: 'all', label: locationLabels.trash },
]

/** The parts of the inbox, each with how many items it has. Filters are left behind, the selected projects are kept. */
export function LocationTabs({ filters }: { filters: Filters }) {
  const { organization } = useOrganization()
  const { data: counts, isPending, failureCount } = useQuery(countsQuery(organization.id, filters))
  const findNumber = ({ location, stage }: Tab) => {
    if (location !== 'inbox') return location === 'trash' ? undefined : counts?.locations[location]
    return stage === 'all' ? undefined : counts?.stages[stage]
  }
  const row = useCurrentInView<HTMLElement>(`${filters.location} ${filters.stage} ${isPending}`)
  return (
    <nav
      ref={row}
      aria-label="Locations"
      className={cn(
        'fade-sideways flex gap-x-1 overflow-x-auto [scrollbar-width:none] max-lg:-mx-1',
        // A count moves the tabs behind it.
        isPending && failureCount === 0 && 'invisible',
      )}
    >
      {tabs.map((tab) => {
        const { location, stage, label } = tab
        const isCurrent = location === filters.location && stage === filters.stage
        const { count } = formatCount(findNumber(tab))
        return (
          <Link
            key={label}
            to={{ search: writeInboxSearch(goToPlace(filters, location, stage), undefined) }}
            preventScrollReset
            aria-current={isCurrent ? 'page' : undefined}
            className={cn(
              'flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-2 font-medium text-base focus-visible:outline-offset-[-2px] pointer-coarse:h-11 lg:h-14',
              isCurrent ? 'border-accent text-foreground' : 'border-transparent text-muted hover:text-foreground',
            )}
          >
            {label}
            {count !== undefined && <span className="font-normal text-muted text-sm tabular-nums">{count}</span>}
          </Link>
        )
      })}
    </nav>
  )
}
