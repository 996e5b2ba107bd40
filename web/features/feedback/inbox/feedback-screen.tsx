import { useRef } from 'react'
import { cn } from '#web/ui/class-names.ts'
import { FeedbackDetailPane } from '../item/feedback-detail.tsx'
import { useMembers } from '../use-members.ts'
import { NothingOpen } from './inbox-states.tsx'
import { ListPane } from './list-pane.tsx'
import { type Inbox, useInbox } from './use-inbox.ts'
import { useInboxControl } from './use-inbox-control.ts'

/** The inbox: a list, and beside it the open item; on a narrow screen one after the other. */
export default function FeedbackScreen() {
  const inbox = useInbox()
  const { people, ownId } = useMembers()
  const searchRef = useRef<HTMLInputElement>(null)
  const { isFilterOpen, setFilterOpen } = useInboxControl(inbox, searchRef, ownId)
  return (
    <div className="flex h-[calc(100dvh-3.5rem)] min-h-0 md:h-dvh">
      <h1 className="sr-only">Feedback</h1>
      <output className="sr-only">{inbox.arrivals.announcement}</output>
      <ListPane
        inbox={inbox}
        people={people}
        searchRef={searchRef}
        isFilterOpen={isFilterOpen}
        onFilterOpen={setFilterOpen}
      />
      <ItemPane inbox={inbox} />
    </div>
  )
}

/** The open item, or how to open one. */
function ItemPane({ inbox }: { inbox: Inbox }) {
  const { itemId, items, openRow, projectNames, selection, walk } = inbox
  const { index, next, previous } = walk
  return (
    <div className={cn('flex min-h-0 min-w-0 flex-1 flex-col', itemId === undefined && 'max-lg:hidden')}>
      {itemId === undefined ? (
        items.length > 0 && <NothingOpen />
      ) : (
        <FeedbackDetailPane
          organizationId={inbox.organizationId}
          id={itemId}
          row={openRow}
          projectName={openRow && projectNames.get(openRow.projectId)}
          canChange={inbox.canChange}
          menu={selection.items.length > 0 ? undefined : inbox.menu}
          onMenu={inbox.setMenu}
          onChange={inbox.itemActions.changeOne}
          onClose={inbox.closeItem}
          onNext={index < items.length - 1 ? next : undefined}
          onPrevious={index > 0 ? previous : undefined}
        />
      )}
    </div>
  )
}
