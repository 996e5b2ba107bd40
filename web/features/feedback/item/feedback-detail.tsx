import { useRef } from 'react'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Attachments } from '../attachments/attachments.tsx'
import { describeContext } from '../context/describe-context.ts'
import { PageEvents } from '../context/page-events.tsx'
import { readPageEvents } from '../context/read-page-events.ts'
import { Composer } from '../conversation/composer.tsx'
import { Conversation } from '../conversation/conversation.tsx'
import { isGone } from '../feedback-store.ts'
import { IssuesSection } from '../issues/issues-section.tsx'
import { BelowRelated, MergedNote, RelatedItems } from '../related/related-items.tsx'
import { DetailSkeleton } from './detail-skeleton.tsx'
import { DetailFailure } from './feedback-detail-failure.tsx'
import { DetailHeader, type HeaderProps } from './feedback-detail-header.tsx'
import { FeedbackFacts, RowsTable, ValuesTable } from './feedback-facts.tsx'
import { FeedbackHistory } from './feedback-history.tsx'
import { ItemLine, ItemMessage, ItemPage, type ShownItem } from './item-words.tsx'
import { LockedNote } from './locked-note.tsx'
import { SnoozeNote } from './snooze-menu.tsx'
import { SpamNote } from './spam-note.tsx'
import { TrashNote } from './trash-note.tsx'
import { useItem } from './use-item.ts'

interface DetailProps extends Omit<HeaderProps, 'item'> {
  /** The item's row, if the list holds it: shown until the whole item is there. */
  row: FeedbackListItem | undefined
  projectName: string | undefined
  /** Whether issues can be created in a tracker. */
  hasTracker: boolean
}

/** The open item. */
export function FeedbackDetailPane(props: DetailProps) {
  const { organizationId, id, row, projectName } = props
  const { detail, error, refetch } = useItem(organizationId, id)
  const item: ShownItem | undefined = detail ?? row
  const askedAt = useRef(0)
  // A broken file fails again at once: without a pause its address would be requested in a loop.
  const askAgain = () => {
    if (Date.now() - askedAt.current < 60_000) return
    askedAt.current = Date.now()
    void refetch()
  }

  return (
    <section aria-label="Item" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <DetailHeader {...props} item={item} />
      <div className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain" key={id}>
        {error && (!detail || isGone(error)) ? (
          <DetailFailure id={id} error={error} onRetry={() => refetch()} onClose={props.onClose} />
        ) : item === undefined ? (
          <DetailSkeleton />
        ) : (
          <ItemPage>
            <div className="min-w-0">
              <ItemLine item={item} projectName={projectName} position={props.position} />
              <LocationNotes {...props} item={item} detail={detail} />
              {item.locked ? <LockedNote /> : <ItemMessage item={item} />}
              {detail && <Attachments item={detail} onExpired={askAgain} />}
            </div>
            <ItemAside {...props} item={item} detail={detail} />
            {detail ? (
              <div className="min-w-0">
                <Conversation item={detail} />
                <RelatedItems organizationId={organizationId} item={detail} canChange={props.canChange} />
                <BelowRelated organizationId={organizationId} item={detail}>
                  <DetailContext detail={detail} />
                  <FeedbackHistory item={detail} />
                </BelowRelated>
              </div>
            ) : (
              <Skeleton className="mt-8 h-40" />
            )}
          </ItemPage>
        )}
      </div>
      {detail && !isGone(error) && <ComposerBar organizationId={organizationId} item={detail} />}
    </section>
  )
}

/** Beside the words where there is room for it; otherwise between them and what is said about them. */
function ItemAside(props: DetailProps & { item: ShownItem; detail: FeedbackDetail | undefined }) {
  const { item, detail } = props
  return (
    <div className="@container min-w-0 @3xl:sticky @3xl:-top-1 @3xl:col-start-2 @3xl:row-span-2 @3xl:row-start-1 @3xl:-mt-8 @3xl:self-start">
      {/* Not before the content above them: they would jump. */}
      {(detail || item.attachmentKinds.length === 0) && (
        <>
          <FeedbackFacts item={item} />
          <IssuesSection {...props} isRead={detail !== undefined} />
        </>
      )}
    </div>
  )
}

/** Below what scrolls, so that it is always at hand. */
function ComposerBar({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const { can } = useOrganization()
  if (!can('comment_feedback')) return null
  return (
    <div className="shrink-0 border-border border-t bg-surface px-3 py-3 max-sm:px-2 max-sm:py-2">
      <div className="mx-auto max-w-6xl">
        <Composer key={item.id} organizationId={organizationId} item={item} />
      </div>
    </div>
  )
}

/** Why the item is not in the inbox, with the button that moves it back. */
function LocationNotes(props: DetailProps & { item: ShownItem; detail: FeedbackDetail | undefined }) {
  const { organizationId, item, detail } = props
  return (
    <>
      {item.location === 'trash' && detail?.deletedAt && (
        <TrashNote
          deletedAt={detail.deletedAt}
          onRestore={props.canChange ? () => props.onChange(item, { deleted: false }) : undefined}
        />
      )}
      {detail && <MergedNote organizationId={organizationId} item={detail} canChange={props.canChange} />}
      {item.location === 'snoozed' && item.snoozedUntil !== null && (
        <SnoozeNote
          until={item.snoozedUntil}
          onEnd={props.canChange ? () => props.onChange(item, { snoozedUntil: null }) : undefined}
        />
      )}
      {item.spamReason !== null && (
        <SpamNote
          reason={item.spamReason}
          onRelease={props.canChange ? () => props.onChange(item, { spam: false }) : undefined}
        />
      )}
    </>
  )
}

function DetailContext({ detail }: { detail: FeedbackDetail }) {
  const events = readPageEvents(detail.context, Date.parse(detail.createdAt))
  const { groups, rest } = describeContext(events.rest)
  return (
    <>
      <PageEvents events={events} />
      <ValuesTable title="Sent by your site" values={detail.metadata} />
      {groups.map(({ title, rows }) => (
        <RowsTable key={title} title={title} rows={rows} />
      ))}
      <ValuesTable title="Other context" values={rest} />
    </>
  )
}
