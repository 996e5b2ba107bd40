import { lazy, Suspense, useRef } from 'react'
import { useIdleLoad } from '#web/lib/idle-load.ts'
import { cn } from '#web/ui/class-names.ts'
import { toSelection } from '../filters/feedback-filters.ts'
import { loadFilterPanel } from '../filters/filter-menu.tsx'
import { formatMatchCount } from '../filters/match-count.ts'
import { QuickFilters } from '../filters/quick-filters.tsx'
import { DetailPanePreview } from '../item/detail-skeleton.tsx'
import { SnoozeDialog } from '../item/snooze-menu.tsx'
import { TransferMenu } from '../transfer/transfer-menu.tsx'
import { useMembers } from '../use-members.ts'
import { InboxHeader } from './inbox-header.tsx'
import { NothingOpen } from './inbox-states.tsx'
import { ListPane, loadBulkBar } from './list-pane.tsx'
import { LocationTabs } from './location-tabs.tsx'
import { type Inbox, useInbox } from './use-inbox.ts'
import { useInboxControl } from './use-inbox-control.ts'

// A third of the inbox's code, and the list shows without it.
const loadDetailPane = () => import('../item/feedback-detail.tsx')
const FeedbackDetailPane = lazy(async () => ({ default: (await loadDetailPane()).FeedbackDetailPane }))

const loadLater = () => Promise.all([loadDetailPane(), loadFilterPanel(), loadBulkBar()])

/** The inbox: a list, and beside it the open item; on a narrow screen one after the other. */
export default function FeedbackScreen() {
  const inbox = useInbox()
  const { people, ownId } = useMembers()
  const searchRef = useRef<HTMLInputElement>(null)
  useIdleLoad(loadLater, !inbox.list.isPending)
  const { isFilterOpen, setFilterOpen } = useInboxControl(inbox, searchRef, ownId)
  return (
    <div className="flex h-[calc(var(--page)-3.5rem-var(--banner,0px))] min-h-0 flex-col md:h-[calc(var(--page)-var(--banner,0px))]">
      <h1 className="sr-only">Feedback</h1>
      <output className="sr-only">{inbox.arrivals.announcement}</output>
      <InboxTop inbox={inbox} />
      <div className="flex min-h-0 flex-1">
        <ListPane
          inbox={inbox}
          people={people}
          searchRef={searchRef}
          isFilterOpen={isFilterOpen}
          onFilterOpen={setFilterOpen}
        />
        <ItemPane inbox={inbox} />
      </div>
      {inbox.itemActions.isPickingTime && (
        <SnoozeDialog
          onClose={() => inbox.itemActions.setPickingTime(false)}
          onSnooze={(snoozedUntil) => inbox.itemActions.change({ snoozedUntil })}
        />
      )}
    </div>
  )
}

/** Across list and item: the view, its tabs and actions, and the quick filters. On a narrow screen an open item hides it. */
function InboxTop({ inbox }: { inbox: Inbox }) {
  const { filters, setFilters, itemId } = inbox
  return (
    <div className={cn('shrink-0 bg-surface lg:border-border lg:border-b', itemId !== undefined && 'max-lg:hidden')}>
      <InboxHeader
        filters={filters}
        onChange={setFilters}
        liveState={inbox.liveState}
        tabs={<LocationTabs filters={filters} />}
      >
        <TransferMenu selection={toSelection(filters)} count={inbox.matchCount} />
      </InboxHeader>
      <QuickFilters filters={filters} onChange={setFilters} />
    </div>
  )
}

/** The open item, or how to open one. */
function ItemPane({ inbox }: { inbox: Inbox }) {
  const { itemId, items, openRow, projectNames, selection, walk, matchCount } = inbox
  const { index, next, previous } = walk
  const position =
    index === -1 || matchCount === undefined ? undefined : `${index + 1} of ${formatMatchCount(matchCount)}`
  const projectName = openRow && projectNames.get(openRow.projectId)
  return (
    <div className={cn('flex min-h-0 min-w-0 flex-1 flex-col', itemId === undefined && 'max-lg:hidden')}>
      {itemId === undefined ? (
        items.length > 0 && <NothingOpen />
      ) : (
        <Suspense fallback={<DetailPanePreview row={openRow} projectName={projectName} position={position} />}>
          <FeedbackDetailPane
            organizationId={inbox.organizationId}
            id={itemId}
            row={openRow}
            projectName={projectName}
            canChange={inbox.canChange}
            hasTracker={inbox.counts?.hasTracker === true}
            menu={selection.items.length > 0 ? undefined : inbox.menu}
            onMenu={inbox.setMenu}
            onChange={inbox.itemActions.changeOne}
            onPickTime={() => inbox.itemActions.setPickingTime(true)}
            onClose={inbox.closeItem}
            position={position}
            onNext={index < items.length - 1 ? next : undefined}
            onPrevious={index > 0 ? previous : undefined}
          />
        </Suspense>
      )}
    </div>
  )
}
