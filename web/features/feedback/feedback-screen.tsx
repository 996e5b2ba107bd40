import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { cn } from '#web/ui/class-names.ts'
import { BulkBar, BulkProgressBar } from './bulk-bar.tsx'
import type { OpenMenu } from './change-menus.tsx'
import { FeedbackDetailPane } from './feedback-detail.tsx'
import { toSelection, writeInboxSearch } from './feedback-filters.ts'
import { FeedbackList, focusRow } from './feedback-list.tsx'
import { countsQuery, itemQuery } from './feedback-queries.ts'
import { FilterBar } from './filter-bar.tsx'
import { focusComposer } from './focus-composer.ts'
import { InboxContent } from './inbox-content.tsx'
import { InboxHeader } from './inbox-header.tsx'
import { NothingOpen } from './inbox-states.tsx'
import { describeMatches, findMatchCount } from './match-count.ts'
import { PlaceTabs } from './place-tabs.tsx'
import { RowMenus } from './row-menus.tsx'
import { TransferMenu } from './transfer/transfer-menu.tsx'
import { TrashBar } from './trash-bar.tsx'
import { formatItems } from './use-bulk-change.ts'
import { useFeedbackFeed } from './use-feedback-feed.ts'
import { useInboxCommands } from './use-inbox-commands.tsx'
import { type InboxActions, useInboxKeys } from './use-inbox-keys.ts'
import { useInboxList } from './use-inbox-list.ts'
import { useInboxState } from './use-inbox-state.ts'
import { useInboxTitle } from './use-inbox-title.ts'
import { useInboxWalk } from './use-inbox-walk.ts'
import { useItemActions } from './use-item-actions.ts'
import { useMarkViewed } from './use-mark-viewed.ts'
import { useMembers } from './use-members.ts'
import { useSelection } from './use-selection.ts'

/** The inbox: a list, and beside it the open item; on a narrow screen one after the other. */
export default function FeedbackScreen() {
  const { organization, can } = useOrganization()
  const organizationId = organization.id
  const canChange = can('manage_feedback')
  const { filters, itemId, setFilters, openItem, closeItem } = useInboxState()
  const projects = useQuery(projectsQuery(organizationId))
  const { data: counts } = useQuery(countsQuery(organizationId, filters))
  const { people, ownId } = useMembers()
  const [cursorId, setCursorId] = useState<string>()
  const [menu, setMenu] = useState<OpenMenu>()
  const [isFilterOpen, setFilterOpen] = useState(false)
  const [arrivedIds, setArrivedIds] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')
  const searchRef = useRef<HTMLInputElement>(null)
  const listPane = useRef<HTMLDivElement>(null)

  const currentId = itemId ?? cursorId
  const { list, items, reread, noteView, similarWords } = useInboxList(organizationId, filters, currentId)
  const search = writeInboxSearch({ ...filters, view: '' }, undefined)
  const selection = useSelection(items, search)
  const projectNames = useMemo(
    () => (projects.data?.length === 1 ? new Map() : new Map(projects.data?.map(({ id, name }) => [id, name]))),
    [projects.data],
  )
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
  const { index, open, next, previous } = walk
  const openRow = itemId === undefined ? undefined : items.find(({ id }) => id === itemId)
  // An item may have been opened by a link, outside of what the filters show.
  const { data: openDetail } = useQuery({ ...itemQuery(organizationId, itemId ?? ''), enabled: itemId !== undefined })
  const current: FeedbackListItem | undefined = items[index] ?? (itemId === undefined ? undefined : openDetail)

  useMarkViewed(organizationId, openRow ?? openDetail, canChange)
  useInboxTitle(filters.place, itemId === undefined ? undefined : (openRow ?? openDetail), counts?.unread)
  const isLive = useFeedbackFeed(organizationId, filters, noteArrivals, reread)

  function noteArrivals(ids: string[]) {
    setAnnouncement(ids.length === 1 ? '1 new item' : `${ids.length} new items`)
    const scroller = listPane.current?.querySelector('[data-inbox-list]')
    if (scroller && scroller.scrollTop >= 1) setArrivedIds((known) => new Set([...known, ...ids]))
  }
  const forgetArrivals = useCallback(() => setArrivedIds((known) => (known.size === 0 ? known : new Set())), [])

  const extend = (step: 1 | -1) => {
    const from = items[index]
    const to = items[index + step]
    if (canChange && from && to) selection.extend(from.id, to.id)
    if (step === 1) next()
    else previous()
  }
  const focusCurrentRow = () => focusRow(listPane.current, currentId ?? items[0]?.id)

  const { changeOne, changeChosen, change, bulk, moveOn, toggleSpam, remove } = useItemActions({
    organizationId,
    filters,
    current,
    selection,
    onLeave: walk.leave,
    reread,
  })

  const openMenu = (which: OpenMenu) => {
    if (canChange && (selection.items.length > 0 || current)) setMenu(which)
  }
  const write = (kind: 'reply' | 'note') => {
    if (!current || !can('comment_feedback')) return
    if (itemId === undefined) open(current.id)
    focusComposer(kind)
  }
  const actions: InboxActions = {
    next,
    previous,
    extendDown: () => extend(1),
    extendUp: () => extend(-1),
    open: () => currentId !== undefined && itemId === undefined && open(currentId),
    close: () => {
      if (selection.items.length > 0) return selection.clear()
      walk.close()
    },
    choose: () => canChange && items[index] && selection.toggle(items[index].id),
    search: () => {
      searchRef.current?.focus()
      searchRef.current?.select()
    },
    filter: () => setFilterOpen(true),
    unread: () => setFilters({ ...filters, unread: !filters.unread }),
    status: () => openMenu('status'),
    priority: () => openMenu('priority'),
    assign: () => openMenu('assignee'),
    tag: () => openMenu('tags'),
    archive: () => canChange && moveOn(),
    spam: () => canChange && toggleSpam(),
    remove: () => canChange && remove(),
    reply: () => write('reply'),
    comment: () => write('note'),
  }
  useInboxKeys(actions, () => canChange && selection.chooseShown())
  useInboxCommands({
    target: selection.items.length > 0 ? formatItems(selection.items.length) : current && `#${current.number}`,
    place: (selection.items[0] ?? current)?.place,
    canChange,
    ownId,
    actions,
    change,
  })

  const hrefOf = useCallback((id: string) => `/dashboard/feedback${writeInboxSearch(filters, id)}`, [filters])
  const menusOf = (item: FeedbackListItem) => {
    const isHere = menu !== undefined && itemId === undefined && item.id === currentId && selection.items.length === 0
    if (!isHere) return undefined
    return (
      <RowMenus
        item={item}
        menu={menu}
        onOpenChange={(isOpen) => !isOpen && setMenu(undefined)}
        onChange={(chosen) => changeOne(item, chosen)}
        returnFocus={focusCurrentRow}
      />
    )
  }
  const isChoosing = selection.items.length > 0
  const matchCount = list.data && !list.hasNextPage ? items.length : counts && findMatchCount(filters, counts)

  return (
    <div className="flex h-[calc(100dvh-3.5rem)] min-h-0 md:h-dvh">
      <h1 className="sr-only">Feedback</h1>
      <output className="sr-only">{announcement}</output>
      <div
        ref={listPane}
        className={cn(
          'relative flex min-h-0 w-full min-w-0 flex-col bg-surface lg:w-[24rem] lg:shrink-0 lg:border-border lg:border-r xl:w-[28rem] 2xl:w-[32rem]',
          itemId !== undefined && 'max-lg:hidden',
        )}
      >
        <InboxHeader filters={filters} onChange={setFilters} isLive={isLive}>
          <TransferMenu selection={toSelection(filters)} count={matchCount} />
        </InboxHeader>
        <PlaceTabs filters={filters} />
        <FilterBar
          filters={filters}
          onChange={setFilters}
          searchRef={searchRef}
          onLeaveSearch={() => {
            searchRef.current?.blur()
            focusCurrentRow()
          }}
          isFilterOpen={isFilterOpen}
          onFilterOpen={setFilterOpen}
          similarWords={similarWords}
        />
        {filters.place === 'trash' && <TrashBar organizationId={organizationId} />}
        <InboxContent
          list={list}
          count={items.length}
          filters={filters}
          counts={counts}
          projects={projects.data}
          onClear={setFilters}
        >
          <FeedbackList
            items={items}
            projectNames={projectNames}
            people={people}
            openId={itemId}
            currentId={currentId}
            moves={walk.moves}
            hrefOf={hrefOf}
            onOpen={open}
            canChoose={canChange}
            chosenIds={selection.ids}
            onToggle={selection.toggle}
            onView={noteView}
            menusOf={menusOf}
            arrivedCount={arrivedIds.size === 0 ? 0 : items.filter(({ id }) => arrivedIds.has(id)).length}
            onTop={forgetArrivals}
            more={{
              has: list.hasNextPage,
              isLoading: list.isFetchingNextPage,
              error: list.isFetchNextPageError ? list.error : null,
              load: list.fetchNextPage,
            }}
            isOutdated={list.isPlaceholderData}
          />
        </InboxContent>
        {(isChoosing || bulk.progress) && (
          <div className="pointer-events-none absolute inset-x-2 bottom-2 z-10 flex flex-col gap-2 *:pointer-events-auto">
            {bulk.progress && <BulkProgressBar progress={bulk.progress} />}
            {isChoosing && (
              <BulkBar
                place={filters.place}
                selection={selection}
                countText={
                  selection.isEverything && list.hasNextPage ? 'All' : selection.items.length.toLocaleString('en')
                }
                loadedCount={items.length}
                matchText={list.hasNextPage ? describeMatches(filters, counts) : undefined}
                menu={menu}
                onMenu={setMenu}
                onChange={changeChosen}
                returnFocus={focusCurrentRow}
              />
            )}
          </div>
        )}
      </div>
      <div className={cn('flex min-h-0 min-w-0 flex-1 flex-col', itemId === undefined && 'max-lg:hidden')}>
        {itemId === undefined ? (
          items.length > 0 && <NothingOpen />
        ) : (
          <FeedbackDetailPane
            organizationId={organizationId}
            id={itemId}
            row={openRow}
            projectName={openRow && projectNames.get(openRow.projectId)}
            canChange={canChange}
            menu={isChoosing ? undefined : menu}
            onMenu={setMenu}
            onChange={changeOne}
            onClose={closeItem}
            onNext={index < items.length - 1 ? next : undefined}
            onPrevious={index > 0 ? previous : undefined}
          />
        )}
      </div>
    </div>
  )
}
