import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganization } from '#web/lib/organization.tsx'
import { locationLabels } from '#web/shared/feedback-labels.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { cn } from '#web/ui/class-names.ts'
import { countsQuery } from '../feedback-queries.ts'
import { clearFilters, type Filters, inboxLocations, writeInboxSearch } from '../filters/feedback-filters.ts'

/** The locations of the inbox, each with how much lies in it. Filters are left behind, the chosen projects are kept. */
export function LocationTabs({ filters }: { filters: Filters }) {
  const { organization } = useOrganization()
  const { data: counts } = useQuery(countsQuery(organization.id, filters))
  return (
    <nav aria-label="Locations" className="flex gap-1 overflow-x-auto px-3 [scrollbar-width:none] max-[22rem]:gap-0">
      {inboxLocations.map((location) => {
        const isCurrent = location === filters.location
        const { count } = formatCount(counts?.locations[location], counts?.limit)
        return (
          <Link
            key={location}
            to={{
              search: writeInboxSearch(
                { ...clearFilters({ ...filters, location }), project: filters.project },
                undefined,
              ),
            }}
            preventScrollReset
            aria-current={isCurrent ? 'page' : undefined}
            className={cn(
              '-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-2 font-medium text-base focus-visible:outline-offset-[-2px] pointer-coarse:h-11 max-[22rem]:px-1.5',
              isCurrent ? 'border-accent text-foreground' : 'border-transparent text-muted hover:text-foreground',
            )}
          >
            {locationLabels[location]}
            {count !== undefined && location !== 'trash' && (
              <span className="font-normal text-muted text-sm tabular-nums">{count}</span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
