import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Keyboard } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { PriorityMenu, StatusMenu } from './change-menus.tsx'
import { FeedbackDetailPane, type OpenMenu } from './feedback-detail.tsx'
import { hasFilters, matchesLists, noFilters, writeInboxSearch } from './feedback-filters.ts'
import { PriorityIcon, StatusIcon } from './feedback-icons.tsx'
import { FeedbackList, focusRow } from './feedback-list.tsx'
import { inboxQuery } from './feedback-queries.ts'
import { FilterBar } from './filter-bar.tsx'
import { ListSkeleton, NoFeedbackYet, NoMatch, NothingOpen } from './inbox-states.tsx'
import { listItems } from './merge-feedback.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { useFeedbackChange } from './use-feedback-change.ts'
import { prefetchItem, useFeedbackFeed } from './use-feedback-feed.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { useInboxState } from './use-inbox-state.ts'
import { useMarkViewed } from './use-mark-viewed.ts'

/** The inbox: a list, and beside it the open item; on a narrow screen one after the other. */
export default function FeedbackScreen() {
  const { organization, can } = useOrganization()
  const organizationId = organization.id
  const canChange = can('manage_feedback')
  const queryClient = useQueryClient()
  const { filters, itemId, setFilters, openItem, closeItem } = useInboxState()
  const projects = useQuery(projectsQuery(organizationId))
  const list = useInfiniteQuery({ ...inboxQuery(organizationId, filters), placeholderData: (previous) => previous })
  const [cursorId, setCursorId] = useState<string>()
  const [menu, setMenu] = useState<OpenMenu>()
  const [moves, setMoves] = useState(0)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [arrivedIds, setArrivedIds] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')
  const searchRef = useRef<HTMLInputElement>(null)
  const listPane = useRef<HTMLDivElement>(null)

  const currentId = itemId ?? cursorId
  // What no longer passes the filters stays as long as it is being looked at.
  const items = useMemo(() => {
    const isShown = (item: FeedbackListItem) => item.id === currentId || matchesLists(item, filters)
    return listItems(list.data).filter((item) => list.isPlaceholderData || isShown(item))
  }, [list.data, list.isPlaceholderData, filters, currentId])
  const projectNames = useMemo(() => new Map(projects.data?.map(({ id, name }) => [id, name])), [projects.data])
  const index = items.findIndex(({ id }) => id === currentId)
  const openRow = itemId === undefined ? undefined : items.find(({ id }) => id === itemId)

  const change = useFeedbackChange(organizationId)
  useMarkViewed(organizationId, openRow, canChange)

  const isAtTop = useCallback(() => {
    const scroller = listPane.current?.querySelector('[data-inbox-list]')
    return !scroller || scroller.scrollTop < 1
  }, [])
  const isLive = useFeedbackFeed(organizationId, filters, (ids) => {
    setAnnouncement(ids.length === 1 ? '1 new item' : `${ids.length} new items`)
    if (!isAtTop()) setArrivedIds((known) => new Set([...known, ...ids]))
  })
  const forgetArrivals = useCallback(() => setArrivedIds((known) => (known.size === 0 ? known : new Set())), [])

  const open = useCallback(
    (id: string) => {
      setCursorId(id)
      openItem(id)
    },
    [openItem],
  )

  const moveTo = (target: number) => {
    const item = items[target]
    if (!item) return
    setCursorId(item.id)
    if (itemId !== undefined) openItem(item.id)
    setMoves((count) => count + 1)
    if (target > items.length - 5 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }
  const next = () => moveTo(index + 1)
  const previous = () => moveTo(index === -1 ? 0 : index - 1)
  const focusCurrentRow = () => focusRow(listPane.current, currentId ?? items[0]?.id)
  const openMenu = (which: OpenMenu) => {
    if (canChange && currentId !== undefined && (itemId !== undefined || index !== -1)) setMenu(which)
  }

  useInboxKeys({
    next,
    previous,
    open: () => currentId !== undefined && itemId === undefined && open(currentId),
    close: () => {
      closeItem()
      setMoves((count) => count + 1)
    },
    search: () => {
      searchRef.current?.focus()
      searchRef.current?.select()
    },
    status: () => openMenu('status'),
    priority: () => openMenu('priority'),
    help: () => setHelpOpen(true),
  })

  // The neighbours are likely next: with them at hand, j and k show the whole item at once.
  const neighbourIds = itemId === undefined ? '' : [items[index + 1]?.id, items[index - 1]?.id].join()
  useEffect(() => {
    for (const id of neighbourIds.split(',').filter(Boolean)) prefetchItem(queryClient, organizationId, id)
  }, [queryClient, organizationId, neighbourIds])

  const hrefOf = useCallback((id: string) => `/dashboard/feedback${writeInboxSearch(filters, id)}`, [filters])
  const menusOf = (item: FeedbackListItem) => {
    if (menu === undefined || itemId !== undefined || item.id !== currentId) return undefined
    const shared = {
      onOpenChange: (isOpen: boolean) => !isOpen && setMenu(undefined),
      onChange: (chosen: Parameters<typeof change>[1]) => change(item, chosen),
      returnFocus: focusCurrentRow,
    }
    return (
      <>
        <PriorityMenu priority={item.priority} open={menu === 'priority'} {...shared}>
          <button type="button" tabIndex={-1} aria-label="Change priority">
            <PriorityIcon priority={item.priority} />
          </button>
        </PriorityMenu>
        <StatusMenu status={item.status} closedReason={null} open={menu === 'status'} {...shared}>
          <button type="button" tabIndex={-1} aria-label="Change status">
            <StatusIcon status={item.status} />
          </button>
        </StatusMenu>
      </>
    )
  }

  return (
    <div className="flex h-[calc(100dvh-3.5rem)] min-h-0 md:h-dvh">
      <h1 className="sr-only">Feedback</h1>
      <output className="sr-only">{announcement}</output>
      <div
        ref={listPane}
        className={cn(
          'flex min-h-0 w-full min-w-0 flex-col bg-surface lg:w-[24rem] lg:shrink-0 lg:border-border lg:border-r xl:w-[28rem]',
          itemId !== undefined && 'max-lg:hidden',
        )}
      >
        <InboxHeader isLive={isLive} onHelp={() => setHelpOpen(true)} />
        <FilterBar
          filters={filters}
          projects={projects.data ?? []}
          onChange={setFilters}
          searchRef={searchRef}
          onLeaveSearch={() => {
            searchRef.current?.blur()
            focusCurrentRow()
          }}
        />
        {list.data === undefined && list.error ? (
          <LoadFailure title="Feedback could not be loaded" error={list.error} onRetry={() => list.refetch()} />
        ) : list.data === undefined ? (
          <ListSkeleton />
        ) : items.length > 0 ? (
          <FeedbackList
            items={items}
            projectNames={projectNames}
            openId={itemId}
            currentId={currentId}
            moves={moves}
            hrefOf={hrefOf}
            onOpen={open}
            menusOf={menusOf}
            arrivedCount={items.filter(({ id }) => arrivedIds.has(id)).length}
            onTop={forgetArrivals}
            more={{
              has: list.hasNextPage,
              isLoading: list.isFetchingNextPage,
              error: list.isFetchNextPageError ? list.error : null,
              load: list.fetchNextPage,
            }}
            isOutdated={list.isPlaceholderData}
          />
        ) : hasFilters(filters) ? (
          <NoMatch onClear={() => setFilters(noFilters)} />
        ) : (
          <NoFeedbackYet projects={projects.data} />
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
            menu={menu}
            onMenu={setMenu}
            onChange={change}
            onClose={closeItem}
            onNext={index < items.length - 1 ? next : undefined}
            onPrevious={index > 0 ? previous : undefined}
          />
        )}
      </div>
      <ShortcutHelp open={isHelpOpen} onOpenChange={setHelpOpen} />
    </div>
  )
}

function InboxHeader({ isLive, onHelp }: { isLive: boolean; onHelp: () => void }) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 px-3">
      {/* The heading stands outside the list, which a phone hides while an item is open. */}
      <span aria-hidden="true" className="px-1 font-semibold text-xl">
        Feedback
      </span>
      <output className="flex items-center gap-1.5 text-muted text-sm">
        {!isLive && (
          <>
            <span aria-hidden="true" className="size-1.5 rounded-full bg-warning-text" />
            Reconnecting…
          </>
        )}
      </output>
      <Tooltip content="Keyboard shortcuts (?)" side="bottom">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Keyboard shortcuts"
          onClick={onHelp}
          className="ml-auto text-muted pointer-coarse:hidden"
        >
          <Keyboard aria-hidden="true" />
        </Button>
      </Tooltip>
    </header>
  )
}
