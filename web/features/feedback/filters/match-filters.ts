import { createMatcher, type FilterableItem } from '#contract/filters.ts'
import { type Filters, toSelection } from './feedback-filters.ts'

/** Tells whether an item passes all filters but the words (`q`), which only the server can look for. */
export function createListMatcher(filters: Filters, now: Date): (item: FilterableItem) => boolean {
  return createMatcher(toSelection(filters, now))
}
