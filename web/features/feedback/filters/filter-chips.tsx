import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { changeFilter, clearFilters, type Filters } from './feedback-filters.ts'
import { describeFacet, type Facet, type FacetName, isFlag, readFacet, useFacets } from './filter-facets.tsx'
import { FilterMenu } from './filter-menu.tsx'

interface ChipsProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** What the list is narrowed by: each can be changed and taken away. */
export function FilterChips({ filters, onChange }: ChipsProps) {
  const facets = useFacets(filters)
  const active = facets.filter(({ name }) => readFacet(filters, name).length > 0)
  if (active.length === 0 && filters.visitor === '') return null
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5">
      <legend className="sr-only">Active filters</legend>
      {active.map((facet) => (
        <FacetChip key={facet.name} facet={facet} filters={filters} onChange={onChange} />
      ))}
      {filters.visitor !== '' && (
        <Chip label="Visitor" onRemove={() => onChange({ ...filters, visitor: '' })}>
          <span className="flex min-w-0 items-center gap-1 pl-2">
            <span className="shrink-0 font-normal">Visitor:</span>
            <bdi className="truncate">{filters.visitor}</bdi>
          </span>
        </Chip>
      )}
      <Button
        variant="ghost"
        size="sm"
        className="h-7 px-2 text-muted"
        onClick={() => onChange({ ...clearFilters(filters), q: filters.q })}
      >
        Clear all
      </Button>
    </fieldset>
  )
}

function FacetChip({ facet, filters, onChange }: ChipsProps & { facet: Facet }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Chip label={facet.label} onRemove={() => onChange(clearFacet(filters, facet.name))}>
      <FilterMenu facet={facet.name} filters={filters} onChange={onChange} open={isOpen} onOpenChange={setOpen}>
        <button type="button" className="flex h-full min-w-0 items-center gap-1 rounded-l-md pl-2 hover:underline">
          {isFlag(facet.name) ? (
            facet.label
          ) : (
            <>
              <span className="shrink-0 font-normal">{facet.label}:</span>
              <bdi className="truncate">{describeFacet(facet, filters)}</bdi>
            </>
          )}
        </button>
      </FilterMenu>
    </Chip>
  )
}

function Chip({ label, onRemove, children }: { label: string; onRemove: () => void; children: ReactNode }) {
  return (
    <span className="flex h-7 min-w-0 max-w-full items-center gap-0.5 rounded-md bg-accent-soft font-medium text-accent-text text-sm pointer-coarse:h-10">
      {children}
      <button
        type="button"
        aria-label={`Remove the filter ${label}`}
        onClick={onRemove}
        className="flex size-7 shrink-0 items-center justify-center rounded-r-md hover:bg-hover pointer-coarse:size-10"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  )
}

function clearFacet(filters: Filters, name: FacetName): Filters {
  if (isFlag(name)) return { ...filters, [name]: false }
  if (name === 'date') return { ...filters, date: undefined }
  return changeFilter(filters, name, [])
}
