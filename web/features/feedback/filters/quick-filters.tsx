import { useQuery } from '@tanstack/react-query'
import { AtSign } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { membersQuery } from '#web/lib/members-query.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { cn } from '#web/ui/class-names.ts'
import { countsQuery } from '../feedback-queries.ts'
import { useMembers } from '../use-members.ts'
import type { Filters } from './feedback-filters.ts'
import { type Facet, type FacetName, type FacetValue, readFacet, useFacets } from './filter-facets.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { toggleValue } from './toggle-value.ts'

/** More projects than this stand behind a button. */
const maxProjects = 3

interface QuickFiltersProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** The filters that triage needs most, each with how many items it would leave. In view where there is room for them. */
export function QuickFilters({ filters, onChange }: QuickFiltersProps) {
  const facets = useFacets(filters)
  const { ownId } = useMembers()
  const { organization } = useOrganization()
  const counting = useQuery(countsQuery(organization.id, filters))
  const counts = counting.data
  // Of what names and counts them. A read that has failed once is shown as waiting, in its own place.
  const reads = [counting, useQuery(membersQuery(organization.id)), useQuery(projectsQuery(organization.id))]
  const isComing = reads.some(({ isPending, failureCount }) => isPending && failureCount === 0)
  const own = (name: FacetName) => facets.find((facet) => facet.name === name)
  const toggle = (name: FacetName, { value, label, icon, count }: FacetValue) => (
    <Toggle
      key={`${name} ${value}`}
      label={label}
      icon={icon}
      count={counts && (count ?? '0')}
      isPressed={readFacet(filters, name).includes(value)}
      onPress={() => onChange(toggleValue(filters, name, value))}
    />
  )
  const [unanswered, unread, assignee] = [own('unanswered'), own('unread'), own('assignee')]
  const mine = assignee?.values.find(({ value }) => value === ownId)
  return (
    <fieldset
      className={cn(
        'flex h-11 min-w-0 items-center gap-1 overflow-x-auto px-3 [scrollbar-width:none] max-lg:hidden',
        // A count moves the filters behind it.
        isComing && 'invisible',
      )}
    >
      <legend className="sr-only">Quick filters</legend>
      {unanswered && toggle('unanswered', { ...flagOf(unanswered), value: 'true' })}
      {mine && toggle('assignee', { ...mine, label: 'Mine', icon: <AtSign aria-hidden="true" /> })}
      {unread && toggle('unread', { ...flagOf(unread), value: 'true' })}
      <Divider />
      {listStatuses(own('status'), filters).map((status) => toggle('status', status))}
      <ProjectToggles facet={own('project')} filters={filters} onChange={onChange} toggle={toggle} />
    </fieldset>
  )
}

function flagOf({ label, icon, values }: Facet): Omit<FacetValue, 'value'> {
  return { label, icon, ...(values[0]?.count !== undefined && { count: values[0].count }) }
}

/** The statuses that the tab has. */
function listStatuses(facet: Facet | undefined, { stage }: Filters): readonly FacetValue[] {
  const isDone = (value: string) => value === 'resolved' || value === 'closed'
  return facet?.values.filter(({ value }) => stage === 'all' || isDone(value) === (stage === 'done')) ?? []
}

/** The projects with the most items, if there are several, and the way to the others. */
function ProjectToggles({
  facet,
  filters,
  onChange,
  toggle,
}: QuickFiltersProps & { facet: Facet | undefined; toggle: (name: FacetName, value: FacetValue) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const projects = facet?.values ?? []
  if (projects.length < 2) return null
  // In the order of the list, which does not change while one counts.
  const shown = projects.length > maxProjects ? projects.slice(0, maxProjects - 1) : projects
  const hiddenCount = projects.length - shown.length
  return (
    // The narrowest screens that have the quick filters have no room for these.
    <div className="flex items-center gap-1 max-xl:hidden">
      <Divider />
      {shown.map((project) => toggle('project', project))}
      {hiddenCount > 0 && (
        <FilterMenu facet="project" filters={filters} onChange={onChange} open={isOpen} onOpenChange={setOpen}>
          <button type="button" className={styles}>
            {hiddenCount} more
          </button>
        </FilterMenu>
      )}
    </div>
  )
}

const styles =
  'flex h-7 max-w-48 shrink-0 items-center gap-1.5 rounded-md px-2 font-medium text-muted text-sm hover:bg-hover hover:text-foreground focus-visible:outline-offset-[-2px] pointer-coarse:h-10 [&_svg]:size-4 [&_svg]:shrink-0'

function Toggle({
  label,
  icon,
  count,
  isPressed,
  onPress,
}: {
  label: string
  icon: ReactNode
  count: string | undefined
  isPressed: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={cn(styles, isPressed && 'bg-accent-soft text-accent-text hover:bg-accent-soft hover:text-accent-text')}
    >
      {icon}
      <bdi className="truncate">{label}</bdi>
      <span className="font-normal tabular-nums">{count}</span>
    </button>
  )
}

function Divider() {
  return <span aria-hidden="true" className="mx-1.5 h-4 w-px shrink-0 bg-border" />
}
