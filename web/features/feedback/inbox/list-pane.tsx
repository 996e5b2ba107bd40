import { type ReactNode, type RefObject, useCallback } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { locale } from '#web/lib/locale.ts'
import { cn } from '#web/ui/class-names.ts'
import { toSelection, writeInboxSearch } from '../filters/feedback-filters.ts'
import { FilterBar } from '../filters/filter-bar.tsx'
import { describeMatches, findMatchCount } from '../filters/match-count.ts'
import { TransferMenu } from '../transfer/transfer-menu.tsx'
import { BulkBar, BulkProgressBar } from './bulk-bar.tsx'
import { FeedbackList } from './feedback-list.tsx'
import type { RowPerson } from './feedback-row.tsx'
import { InboxContent } from './inbox-content.tsx'
import { InboxHeader } from './inbox-header.tsx'
import { LocationTabs } from './location-tabs.tsx'
import { RowMenus } from './row-menus.tsx'
import { TrashBar } from './trash-bar.tsx'
import type { Inbox } from './use-inbox.ts'
import { focusCurrentRow } from './use-inbox-control.ts'

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
  const matchCount = list.data && !list.hasNextPage ? items.length : counts && findMatchCount(filters, counts)
  return (
    <div
      ref={inbox.listPane}
      className={cn(
        'relative flex min-h-0 w-full min-w-0 flex-col bg-surface lg:w-[24rem] lg:shrink-0 lg:border-border lg:border-r xl:w-[28rem] 2xl:w-[32rem]',
        itemId !== undefined && 'max-lg:hidden',
      )}
    >
      <InboxHeader filters={filters} onChange={setFilters} liveState={inbox.liveState}>
        <TransferMenu selection={toSelection(filters)} count={matchCount} />
      </InboxHeader>
      <LocationTabs filters={filters} />
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
        similarWords={inbox.similarWords}
      />
      {filters.location === 'trash' && <TrashBar organizationId={organizationId} />}
      <InboxContent
        list={list}
        count={items.length}
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
      returnFocus={() => focusCurrentRow(inbox)}
    />
  )
}

/** Above the list's end: how far a change of many items is, and what can be done with the selected ones. */
function SelectionLayer({ inbox }: Pick<ListPaneProps, 'inbox'>) {
  const { filters, items, list, counts, selection, menu, setMenu, itemActions } = inbox
  const isSelecting = selection.items.length > 0
  const { progress } = itemActions.bulk
  if (!isSelecting && !progress) return null
  return (
    <div className="pointer-events-none absolute inset-x-2 bottom-2 z-10 flex flex-col gap-2 *:pointer-events-auto">
      {progress && <BulkProgressBar progress={progress} />}
      {isSelecting && (
        <BulkBar
          location={filters.location}
          selection={selection}
          countText={selection.isEverything && list.hasNextPage ? 'All' : selection.items.length.toLocaleString(locale)}
          loadedCount={items.length}
          matchText={list.hasNextPage ? describeMatches(filters, counts) : undefined}
          menu={menu}
          onMenu={setMenu}
          onChange={itemActions.changeChosen}
          returnFocus={() => focusCurrentRow(inbox)}
        />
      )}
    </div>
  )
}
