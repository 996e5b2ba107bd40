import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CommandList, type CommandOption, filterOptions } from '#web/ui/command-list.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { makeRange } from './date-range.ts'
import type { Filters } from './feedback-filters.ts'
import { type Facet, type FacetName, isFlag, readFacet, useFacets } from './filter-facets.tsx'
import { toggleValue } from './toggle-value.ts'

interface PanelProps {
  filters: Filters
  onChange: (filters: Filters) => void
  /** Where it begins; undefined: with all there is to filter by. */
  facet?: FacetName
  onDone: () => void
}

/** The content of the filter menu. */
export function FilterPanel({ filters, onChange, facet: initial, onDone }: PanelProps) {
  const [name, setName] = useState(initial)
  const facets = useFacets(filters)
  const facet = facets.find((each) => each.name === name)
  if (facet === undefined) return <FacetList facets={facets} filters={filters} onChange={onChange} onEnter={setName} />
  return (
    <>
      <ValueList
        key={facet.name}
        facet={facet}
        filters={filters}
        onChange={onChange}
        onBack={initial === undefined ? () => setName(undefined) : undefined}
      />
      {facet.name === 'date' && <RangeFields filters={filters} onChange={onChange} onDone={onDone} />}
    </>
  )
}

/** All there is to filter by. Words that were typed find values, too. */
function FacetList({
  facets,
  filters,
  onChange,
  onEnter,
}: {
  facets: readonly Facet[]
  filters: Filters
  onChange: (filters: Filters) => void
  onEnter: (name: FacetName) => void
}) {
  const [query, setQuery] = useState('')
  const ofFacets: CommandOption[] = facets.map((facet) => ({
    id: facet.name,
    label: facet.label,
    icon: facet.icon,
    aside: isFlag(facet.name) ? facet.values[0]?.count : <ChevronRight aria-hidden="true" className="opacity-70" />,
  }))
  const ofValues: CommandOption[] = facets.flatMap((facet) =>
    facet.values.map((each) => ({
      id: `${facet.name}:${each.value}`,
      label: each.label,
      group: facet.label,
      ...(each.icon !== undefined && { icon: each.icon }),
      ...(each.count !== undefined && { aside: each.count }),
    })),
  )
  const options = filterOptions(query === '' ? ofFacets : [...ofFacets, ...ofValues], query)
  return (
    <CommandList
      label="Filter by"
      placeholder="Filter by…"
      query={query}
      onQueryChange={setQuery}
      options={options}
      onChoose={({ id }) => {
        const [name, value] = splitOnce(id)
        const facet = facets.find((each) => each.name === name)
        if (facet === undefined) return
        const chosen = value ?? (isFlag(facet.name) ? 'true' : undefined)
        if (chosen === undefined) onEnter(facet.name)
        else {
          onChange(toggleValue(filters, facet.name, chosen))
          setQuery('')
        }
      }}
    />
  )
}

function splitOnce(id: string): [string, string | undefined] {
  const index = id.indexOf(':')
  return index === -1 ? [id, undefined] : [id.slice(0, index), id.slice(index + 1)]
}

function ValueList({
  facet,
  filters,
  onChange,
  onBack,
}: {
  facet: Facet
  filters: Filters
  onChange: (filters: Filters) => void
  onBack: (() => void) | undefined
}) {
  const [query, setQuery] = useState('')
  const chosen = new Set(readFacet(filters, facet.name).map((value) => value.toLowerCase()))
  const options = facet.values.map(({ value, label, icon, count }) => ({
    id: value,
    label,
    isChecked: chosen.has(value.toLowerCase()),
    ...(icon !== undefined && { icon }),
    ...(count !== undefined && { aside: count }),
  }))
  return (
    <CommandList
      label={facet.label}
      placeholder={`${facet.label}…`}
      query={query}
      onQueryChange={setQuery}
      options={filterOptions(options, query)}
      isMultiple
      onChoose={({ id }) => onChange(toggleValue(filters, facet.name, id))}
      onBack={onBack}
      emptyText={facet.name === 'tag' && query === '' ? 'No tags yet. Open an item to add one.' : 'No results.'}
    />
  )
}

/** Days of one's own: either may stay open. */
function RangeFields({
  filters,
  onChange,
  onDone,
}: {
  filters: Filters
  onChange: (filters: Filters) => void
  onDone: () => void
}) {
  const known = filters.date?.kind === 'range' ? filters.date : { from: '', to: '' }
  const [from, setFrom] = useState(known.from)
  const [to, setTo] = useState(known.to)
  const range = makeRange(from, to)
  return (
    <form
      className="flex flex-col gap-3 border-border border-t p-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ ...filters, date: range })
        onDone()
      }}
    >
      <div className="grid grid-cols-2 gap-2 pointer-coarse:grid-cols-1">
        <Field label="From">
          {(control) => (
            <Input
              type="date"
              max={to || undefined}
              value={from}
              onChange={(event) => setFrom(event.target.value)}
              className="px-2"
              {...control}
            />
          )}
        </Field>
        <Field label="To">
          {(control) => (
            <Input
              type="date"
              min={from || undefined}
              value={to}
              onChange={(event) => setTo(event.target.value)}
              className="px-2"
              {...control}
            />
          )}
        </Field>
      </div>
      <Button type="submit" size="sm" variant="secondary" disabled={range === undefined}>
        Show these days
      </Button>
    </form>
  )
}
