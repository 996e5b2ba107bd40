import { datePresets } from './date-range.ts'
import { changeFilter, type Filters } from './feedback-filters.ts'
import { type FacetName, isFlag } from './filter-facets.tsx'

/** The filters with a value of a facet let through, or no longer. */
export function toggleValue(filters: Filters, name: FacetName, value: string): Filters {
  if (isFlag(name)) return { ...filters, [name]: !filters[name] }
  if (name === 'date') {
    const preset = datePresets.find((each) => each === value)
    const isChosen = filters.date?.kind === 'preset' && filters.date.preset === preset
    return { ...filters, date: preset === undefined || isChosen ? undefined : { kind: 'preset', preset } }
  }
  const values: readonly string[] = filters[name]
  const others = values.filter((each) => each.toLowerCase() !== value.toLowerCase())
  return changeFilter(filters, name, others.length < values.length ? others : [...values, value])
}
