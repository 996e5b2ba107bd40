import type { FeedbackListItem } from '#contract/feedback.ts'
import { createListMatcher } from '../filters/match-filters.ts'
import type { InboxState } from './inbox-state.ts'
import { cutPlaces } from './places.ts'
import type { SortKey } from './sort-items.ts'

/**
 * The rows of a list as they are shown, each once.
 * @param end the last row that was read; null: the list was read to its end
 * @param openId stays although the filters do not let it through any more, for as long as it is in the same location
 */
export function selectRows(
  { lists, items }: Pick<InboxState, 'lists' | 'items'>,
  listKey: string,
  end: SortKey | null,
  openId: string | undefined,
  now: Date,
): FeedbackListItem[] {
  const list = lists.get(listKey)
  if (!list) return []
  const { filters } = list
  const matches = createListMatcher(filters, now)
  return cutPlaces(list, end).flatMap(({ id }) => {
    const shown = items.get(id)?.shown
    if (!shown) return []
    const isOpen = id === openId && shown.location === filters.location
    return isOpen || matches(shown) ? [shown] : []
  })
}
