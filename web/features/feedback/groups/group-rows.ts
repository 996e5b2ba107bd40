import type { FeedbackListItem } from '#contract/feedback.ts'
import type { InboxState } from '../store/inbox-state.ts'
import { selectRows } from '../store/select-rows.ts'
import { findGroup } from './group-values.ts'
import type { GroupedFilters, GroupedPage } from './groups-query.ts'

/** A group as the list shows it. */
export interface GroupRows {
  readonly value: string
  /** The loaded ones. */
  readonly items: readonly FeedbackListItem[]
  /** Whether all are loaded. */
  readonly isWhole: boolean
}

/**
 * The groups with their rows, in order.
 *
 * @param openId stays in its group although it has left it by now, if it is in no other
 */
export function groupRows(
  state: Pick<InboxState, 'lists' | 'items'>,
  pages: readonly GroupedPage[],
  filters: GroupedFilters,
  openId: string | undefined,
  now: Date,
): GroupRows[] {
  const segments = pages[0]?.segments ?? []
  const read = (index: number, kept: string | undefined) => {
    const own = pages.filter(({ segment }) => segment === index)
    const [first, last] = [own.at(0), own.at(-1)]
    if (!first || !last) return { items: [], isWhole: false }
    return { items: selectRows(state, first.list, last.end, kept, now), isWhole: last.nextCursor === null }
  }
  const lists = segments.map((_, index) => read(index, undefined))
  const isShown = lists.some(({ items }) => items.some(({ id }) => id === openId))
  return segments.flatMap(({ values }, index) => {
    const { items, isWhole } = isShown ? (lists[index] ?? read(index, undefined)) : read(index, openId)
    const byValue = Map.groupBy(items, (item) => {
      const value = findGroup(item, filters.group, filters)
      // Of days, a new one may begin; of others, only the open item may have left its group.
      return filters.group === 'day' || values.includes(value) ? value : (values[0] ?? value)
    })
    const named = filters.group === 'day' ? orderDays([...values, ...byValue.keys()], filters) : values
    return named.map((value): GroupRows => ({ value, items: byValue.get(value) ?? [], isWhole }))
  })
}

function orderDays(days: readonly string[], { sort }: GroupedFilters): string[] {
  const ordered = [...new Set(days)].sort()
  return sort === 'oldest' ? ordered : ordered.toReversed()
}
