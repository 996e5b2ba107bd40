import { type ReactNode, type RefObject, useCallback } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { locale } from '#web/lib/locale.ts'
import { cn } from '#web/ui/class-names.ts'
import { createLateCode, useLateCode } from '#web/ui/late-code.ts'
import { writeInboxSearch } from '../filters/feedback-filters.ts'
import { FilterBar } from '../filters/filter-bar.tsx'
import { formatMatchCount } from '../filters/match-count.ts'
import { GroupLabel } from '../groups/group-label.tsx'
import { BulkProgressBar } from './bulk-progress-bar.tsx'
import { FeedbackList } from './feedback-list.tsx'
import type { RowPerson } from './feedback-row.tsx'
import { InboxContent } from './inbox-content.tsx'
import { RowMenus } from './row-menus.tsx'
import { TrashBar } from './trash-bar.tsx'
import type { Inbox } from './use-inbox.ts'
import { focusCurrentRow } from './use-inbox-control.ts'

// Shown once something is selected.
const bulkBar = createLateCode(() => import('./bulk-bar.tsx'))

export const loadBulkBar = bulkBar.load

interface ListPaneProps {
  inbox: Inbox
  people: ReadonlyMap<string, RowPerson>
  searchRef: RefObject<HTMLInputElement | null>
  isFilterOpen: boolean
  onFilterOpen: (isOpen: boolean) => void
}

/** The list with its filters, and the bar for selected items. */
export function ListPane({ inbox, people, searchRef, isFilterOpen, onFilterOpen }: ListPaneProps) {
  const { filters, setFilters, counts, list, items, itemId, organizationId } = inbox
  return (
    <div
      ref={inbox.listPane}
      className={cn(
        'relative flex min-h-0 w-full min-w-0 flex-col bg-surface lg:w-96 lg:shrink-0 lg:border-border lg:border-r xl:w-104 2xl:w-[32rem]',
        itemId !== undefined && 'max-lg:hidden',
      )}
    >
      <FilterBar
        filters={filters}
        onChange={setFilters}
        searchRef={searchRef}
        onLeaveSearch={() => {
          searchRef.current?.blur()
          focusCurrentRow(inbox)
        }}
        isFilterOpen={isFilterOpen}
        onFilterOpen={onFilterOpen}
        matchCount={inbox.matchCount}
        similarWords={inbox.similarWords}
      />
      {filters.location === 'trash' && <TrashBar organizationId={organizationId} />}
      <InboxContent
        list={list}
        count={inbox.groups?.length ?? items.length}
        filters={filters}
        counts={counts}
        projects={inbox.projects}
        onClear={setFilters}
      >
        <Rows inbox={inbox} people={people} />
      </InboxContent>
      <SelectionLayer inbox={inbox} />
    </div>
  )
}

function Rows({ inbox, people }: Pick<ListPaneProps, 'inbox' | 'people'>) {
  const { filters, items, list, itemId, walk, selection, arrivals } = inbox
  const hrefOf = useCallback((id: string) => `/dashboard/feedback${writeInboxSearch(filters, id)}`, [filters])
  return (
    <FeedbackList
      items={items}
      groups={inbox.groups}
      labelGroup={(value) => <GroupLabel by={filters.group} value={value} projects={inbox.projects} people={people} />}
      onToggleGroup={inbox.toggleGroup}
      projectNames={inbox.projectNames}
      people={people}
      openId={itemId}
      currentId={inbox.currentId}
      moves={walk.moves}
      hrefOf={hrefOf}
      onOpen={walk.open}
      canChoose={inbox.canChange}
      chosenIds={selection.ids}
      onToggle={selection.toggle}
      onView={inbox.noteView}
      menusOf={(item) => menusOf(inbox, item)}
      arrivedCount={arrivals.count(items)}
      onTop={arrivals.forget}
      more={{
        has: list.hasNextPage,
        isLoading: list.isFetchingNextPage,
        error: list.isFetchNextPageError ? list.error : null,
        load: list.fetchNextPage,
      }}
      isOutdated={list.isPlaceholderData}
    />
  )
}

/** The menu that the keyboard asked for, in the row on which it stands. */
function menusOf(inbox: Inbox, item: FeedbackListItem): ReactNode | undefined {
  const { menu, itemId, currentId, selection } = inbox
  const isHere = menu !== undefined && itemId === undefined && item.id === currentId && selection.items.length === 0
  if (!isHere) return undefined
  return (
    <RowMenus
      item={item}
      menu={menu}
      onOpenChange={(isOpen) => !isOpen && inbox.setMenu(undefined)}
      onChange={(change) => inbox.itemActions.changeOne(item, change)}
      onPickTime={() => inbox.itemActions.setPickingTime(true)}
      returnFocus={() => focusCurrentRow(inbox)}
    />
  )
}

/** Above the list's end: how far a change of many items is, and what can be done with the selected ones. */
function SelectionLayer({ inbox }: Pick<ListPaneProps, 'inbox'>) {
  const { filters, items, list, matchCount, selection, menu, setMenu, itemActions } = inbox
  const isSelecting = selection.items.length > 0
  const progress = itemActions.bulk.progress ?? itemActions.issuesProgress
  // A menu that the keyboard opened is in the bar.
  const bar = useLateCode(bulkBar, isSelecting, menu !== undefined)
  if (!isSelecting && !progress) return null
  return (
    <div className="pointer-events-none absolute inset-x-2 bottom-2 z-10 flex flex-col gap-2 *:pointer-events-auto">
      {progress && <BulkProgressBar progress={progress} />}
      {isSelecting && bar && (
        <bar.BulkBar
          location={filters.location}
          selection={selection}
          countText={selection.isEverything && list.hasNextPage ? 'All' : selection.items.length.toLocaleString(locale)}
          loadedCount={items.length}
          matchText={
            list.hasNextPage ? ['all', matchCount && formatMatchCount(matchCount)].filter(Boolean).join(' ') : undefined
          }
          menu={menu}
          onMenu={setMenu}
          onChange={itemActions.changeChosen}
          onPickTime={() => itemActions.setPickingTime(true)}
          onIssuesProgress={inbox.counts?.hasTracker ? itemActions.setIssuesProgress : undefined}
          isAllLoaded={!list.hasNextPage}
          returnFocus={() => focusCurrentRow(inbox)}
        />
      )}
    </div>
  )
}
