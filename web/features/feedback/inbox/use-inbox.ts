import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { countsQuery } from '../feedback-queries.ts'
import { type Filters, hasFilters, writeInboxSearch } from '../filters/feedback-filters.ts'
import { useMatchCount } from '../filters/match-count.ts'
import { isGrouped } from '../groups/groups-query.ts'
import { useGroupedList } from '../groups/use-grouped-list.ts'
import type { OpenMenu } from '../item/change-menus.tsx'
import { useItem } from '../item/use-item.ts'
import { useMarkViewed } from '../item/use-mark-viewed.ts'
import { useArrivals } from './use-arrivals.ts'
import { useFirstUnread } from './use-first-unread.ts'
import { useInboxList } from './use-inbox-list.ts'
import { useInboxState } from './use-inbox-state.ts'
import { useInboxTitle } from './use-inbox-title.ts'
import { useInboxWalk } from './use-inbox-walk.ts'
import { useItemActions } from './use-item-actions.ts'
import { useLiveFeedback } from './use-live-feedback.ts'
import { useSelection } from './use-selection.ts'

/** The inbox as it stands: its filters, rows, selection and open item, and what can be done with them. */
export function useInbox() {
  const { organization, can } = useOrganization()
  const organizationId = organization.id
  const canChange = can('manage_feedback')
  const { filters, itemId, setFilters, openItem, closeItem } = useInboxState()
  const { data: counts } = useQuery(countsQuery(organizationId, filters))
  const [cursorId, setCursorId] = useState<string>()
  const [menu, setMenu] = useState<OpenMenu>()
  const listPane = useRef<HTMLDivElement>(null)

  const currentId = itemId ?? cursorId
  const shown = useShownList(organizationId, filters, currentId)
  const { list, items, reread } = shown
  const search = writeInboxSearch({ ...filters, view: '' }, undefined)
  const selection = useSelection(items, search)
  const walk = useInboxWalk({
    organizationId,
    items,
    itemId,
    cursorId,
    onCursor: setCursorId,
    openItem,
    closeItem,
    scope: list.isPlaceholderData ? '' : search,
    onEnd: () => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage(),
  })
  const isLoaded = list.data !== undefined && !list.isPlaceholderData
  // Items of closed groups are not listed.
  const isListed = isLoaded && !list.hasNextPage && !isGrouped(filters)
  const matchCount = useMatchCount(organizationId, filters, isListed ? items.length : undefined)
  const openRow = itemId === undefined ? undefined : items.find(({ id }) => id === itemId)
  // An item may have been opened by a link, outside of what the filters show.
  const { detail: openDetail } = useItem(organizationId, itemId)
  const openedItem = itemId === undefined ? undefined : (openRow ?? openDetail)
  const current: FeedbackListItem | undefined = items[walk.index] ?? (itemId === undefined ? undefined : openDetail)

  const autoOpenedId = useFirstUnread({
    items: isLoaded ? items : undefined,
    isWanted: itemId === undefined && filters.stage === 'open' && !hasFilters(filters),
    onCursor: setCursorId,
    openItem,
  })
  const onUnread = useMarkViewed(organizationId, openedItem, canChange, itemId === autoOpenedId)
  useInboxTitle(filters, openedItem, counts?.unread)
  const arrivals = useArrivals(listPane)
  const liveState = useLiveFeedback(organizationId, filters, arrivals.note, reread)
  const itemActions = useItemActions({
    organizationId,
    filters,
    current,
    selection,
    onLeave: walk.leave,
    onUnread,
    reread,
  })
  return {
    organizationId,
    can,
    canChange,
    filters,
    setFilters,
    counts,
    matchCount,
    ...shown,
    selection,
    walk,
    itemId,
    openRow,
    currentId,
    current,
    closeItem,
    menu,
    setMenu,
    listPane,
    arrivals,
    liveState,
    itemActions,
    ...useProjects(organizationId),
  }
}

export type Inbox = ReturnType<typeof useInbox>

/** The list with or without groups. */
function useShownList(organizationId: string, filters: Filters, currentId: string | undefined) {
  const plain = useInboxList(organizationId, filters, currentId)
  const grouped = useGroupedList(organizationId, filters, currentId)
  const isInGroups = isGrouped(filters)
  const { list, items, reread, similarWords = noWords } = isInGroups ? grouped : plain
  const { noteView } = plain
  const { groups, toggle: toggleGroup } = grouped
  return { list, items, reread, similarWords, noteView, groups: isInGroups ? groups : undefined, toggleGroup }
}

const noWords = {}

/** The projects, and their names by id where there are several to tell apart. */
function useProjects(organizationId: string) {
  const { data: projects } = useQuery(projectsQuery(organizationId))
  const projectNames = useMemo(
    (): ReadonlyMap<string, string> =>
      projects?.length === 1 ? new Map() : new Map(projects?.map(({ id, name }) => [id, name])),
    [projects],
  )
  return { projects, projectNames }
}
