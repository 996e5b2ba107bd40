import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronDown, ChevronUp, FileX2, Link2, UserX, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { copyText } from '#web/ui/copy-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import { Attachments } from './attachments/attachments.tsx'
import { type OpenMenu, PriorityMenu, StatusMenu } from './change-menus.tsx'
import { PageEvents } from './context/page-events.tsx'
import { readPageEvents } from './context/read-page-events.ts'
import { Conversation } from './conversation/conversation.tsx'
import { findDraft } from './conversation/use-draft.ts'
import { FeedbackFacts, ValuesTable } from './feedback-facts.tsx'
import { FeedbackHistory } from './feedback-history.tsx'
import { PriorityIcon, StatusIcon, TypeIcon } from './feedback-icons.tsx'
import { closedReasonLabels, priorityLabels, statusLabels, typeLabels } from './feedback-labels.ts'
import { itemQuery } from './feedback-queries.ts'
import { describeWordless } from './feedback-row.tsx'
import { ItemMenus, ItemMoves } from './item-actions.tsx'
import type { ItemChange } from './item-change.ts'
import { PresentColleagues } from './presence.tsx'
import { MergedNote, RelatedItems } from './related/related-items.tsx'
import { SpamNote } from './spam-note.tsx'
import { TrashNote } from './trash-note.tsx'

interface DetailProps {
  organizationId: string
  id: string
  /** The item's row, if the list holds it: shown until the whole item is there. */
  row: FeedbackListItem | undefined
  projectName: string | undefined
  canChange: boolean
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  onChange: (item: FeedbackListItem & Partial<FeedbackDetail>, change: ItemChange) => void
  onClose: () => void
  onNext: (() => void) | undefined
  onPrevious: (() => void) | undefined
}

/** The open item. */
export function FeedbackDetailPane(props: DetailProps) {
  const { organizationId, id, row, projectName } = props
  const { data: detail, error, refetch } = useQuery(itemQuery(organizationId, id))
  const item: (FeedbackListItem & Partial<FeedbackDetail>) | undefined = detail ?? row
  const askedAt = useRef(0)
  // A file that is broken for good fails again at once: its address is not asked for in a circle.
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
          <article className="mx-auto max-w-3xl px-4 py-5 @5xl:grid @5xl:max-w-6xl @5xl:grid-cols-[minmax(0,1fr)_20rem] @5xl:grid-rows-[auto_1fr] @5xl:gap-x-10 sm:px-8 sm:py-7">
            <div className="min-w-0">
              <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base text-muted">
                <TypeIcon type={item.type} />
                <h2 className="font-medium text-foreground">
                  {typeLabels[item.type]} <span className="tabular-nums">#{item.number}</span>
                </h2>
                {projectName !== undefined && (
                  <>
                    <span aria-hidden="true">·</span>
                    <bdi className="min-w-0 truncate">{projectName}</bdi>
                  </>
                )}
                <span aria-hidden="true">·</span>
                <RelativeTime iso={item.createdAt} />
              </header>
              {item.place === 'trash' && detail?.deletedAt && (
                <TrashNote
                  deletedAt={detail.deletedAt}
                  onRestore={props.canChange ? () => props.onChange(item, { deleted: false }) : undefined}
                />
              )}
              {detail && <MergedNote organizationId={organizationId} item={detail} canChange={props.canChange} />}
              {item.spamReason !== null && (
                <SpamNote
                  reason={item.spamReason}
                  onRelease={props.canChange ? () => props.onChange(item, { spam: false }) : undefined}
                />
              )}
              {(item.message ?? item.excerpt) === '' ? (
                <p className="mt-4 text-lg text-muted">{describeWordless(item)}</p>
              ) : (
                <p
                  dir="auto"
                  className="mt-4 whitespace-pre-wrap text-lg [overflow-wrap:anywhere] [text-wrap:wrap] [unicode-bidi:isolate]"
                >
                  {item.message ?? item.excerpt}
                </p>
              )}
              {detail && <Attachments attachments={detail.attachments} context={detail.context} onExpired={askAgain} />}
            </div>
            {/* With room for it, beside the words; otherwise between them and what is said about them. */}
            <div className="min-w-0 @5xl:sticky @5xl:-top-1 @5xl:col-start-2 @5xl:row-span-2 @5xl:row-start-1 @5xl:-mt-8 @5xl:self-start">
              {/* Not before what comes above them: they would jump. */}
              {(detail || item.attachmentKinds.length === 0) && <FeedbackFacts item={item} />}
            </div>
            {detail ? (
              <div className="min-w-0">
                <Conversation organizationId={organizationId} item={detail} />
                <RelatedItems organizationId={organizationId} item={detail} canChange={props.canChange} />
                <DetailContext detail={detail} />
                <FeedbackHistory item={detail} />
              </div>
            ) : (
              <Skeleton className="mt-8 h-40" />
            )}
          </article>
        )}
      </div>
    </section>
  )
}

function DetailContext({ detail }: { detail: FeedbackDetail }) {
  const events = readPageEvents(detail.context, Date.parse(detail.createdAt))
  return (
    <>
      <PageEvents events={events} />
      <ValuesTable title="Sent by your site" values={detail.metadata} />
      <ValuesTable title="Browser" values={events.rest} />
    </>
  )
}

function DetailHeader({
  organizationId,
  id,
  item,
  canChange,
  menu,
  onMenu,
  onChange,
  onClose,
  onNext,
  onPrevious,
}: DetailProps & { item: (FeedbackListItem & Partial<FeedbackDetail>) | undefined }) {
  const copyLink = async () => {
    const isCopied = await copyText(window.location.href)
    toast(isCopied ? { title: 'Link copied', tone: 'success' } : { title: 'The link could not be copied' })
  }
  return (
    <div
      data-toolbar
      className="flex h-14 shrink-0 items-center gap-1.5 border-border border-b bg-surface px-2 max-[22rem]:gap-1 max-[22rem]:px-1 sm:px-4"
    >
      <Button variant="ghost" size="icon-sm" aria-label="Back to the list" onClick={onClose} className="lg:hidden">
        <ArrowLeft aria-hidden="true" />
      </Button>
      {item && <ItemControls item={item} canChange={canChange} menu={menu} onMenu={onMenu} onChange={onChange} />}
      <div className="ml-auto flex items-center">
        <PresentColleagues organizationId={organizationId} feedbackId={id} />
        {item && canChange && (
          <ItemMoves item={item} onChange={(change) => onChange(item, change)} onCopyLink={copyLink} />
        )}
        <IconButton label="Previous" keys="k" onPress={onPrevious}>
          <ChevronUp aria-hidden="true" />
        </IconButton>
        <IconButton label="Next" keys="j" onPress={onNext}>
          <ChevronDown aria-hidden="true" />
        </IconButton>
        <span className={cn('inline-flex', canChange && 'max-sm:hidden')}>
          <IconButton label="Copy link" onPress={copyLink}>
            <Link2 aria-hidden="true" />
          </IconButton>
        </span>
        <span className="hidden lg:inline-flex">
          <IconButton label="Close" keys="Esc" onPress={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </span>
      </div>
    </div>
  )
}

function ItemControls({
  item,
  canChange,
  menu,
  onMenu,
  onChange,
}: Pick<DetailProps, 'canChange' | 'menu' | 'onMenu' | 'onChange'> & {
  item: FeedbackListItem & Partial<FeedbackDetail>
}) {
  // A phone has room for the signs of what can be changed there, and says the words to those who listen.
  const label = cn('truncate', canChange && 'max-sm:sr-only')
  const status = (
    <>
      <StatusIcon status={item.status} />
      <span className={label}>
        {item.closedReason ? closedReasonLabels[item.closedReason] : statusLabels[item.status]}
      </span>
    </>
  )
  const priority = (
    <>
      <PriorityIcon priority={item.priority} />
      <span className={label}>{priorityLabels[item.priority]}</span>
    </>
  )
  if (!canChange) {
    return (
      <>
        <span className="flex min-w-0 items-center gap-2 px-2 text-base">{status}</span>
        <span className="flex min-w-0 items-center gap-2 px-2 text-base">{priority}</span>
      </>
    )
  }
  return (
    <>
      <StatusMenu
        status={item.status}
        closedReason={item.closedReason ?? null}
        open={menu === 'status'}
        onOpenChange={(open) => onMenu(open ? 'status' : undefined)}
        onChange={(change) => onChange(item, change)}
      >
        <Button
          variant="secondary"
          size="sm"
          className="min-w-0 shrink px-2.5"
          aria-keyshortcuts="s"
          title="Status (s)"
        >
          <span className="sr-only">Status:</span>
          {status}
        </Button>
      </StatusMenu>
      <PriorityMenu
        priority={item.priority}
        open={menu === 'priority'}
        onOpenChange={(open) => onMenu(open ? 'priority' : undefined)}
        onChange={(change) => onChange(item, change)}
      >
        <Button
          variant="secondary"
          size="sm"
          className="min-w-0 shrink px-2.5"
          aria-keyshortcuts="p"
          title="Priority (p)"
        >
          <span className="sr-only">Priority:</span>
          {priority}
        </Button>
      </PriorityMenu>
      <ItemMenus item={item} menu={menu} onMenu={onMenu} onChange={(change) => onChange(item, change)} />
    </>
  )
}

function IconButton({
  label,
  keys,
  onPress,
  children,
}: {
  label: string
  keys?: string
  onPress: (() => void) | undefined
  children: ReactNode
}) {
  return (
    <Tooltip content={keys === undefined ? label : `${label} (${keys})`} side="bottom">
      <Button variant="ghost" size="icon-sm" aria-label={label} disabled={onPress === undefined} onClick={onPress}>
        {children}
      </Button>
    </Tooltip>
  )
}

/** Asking again would not bring it back: deleted for good, with its project, or no longer for these eyes. */
function isGone(error: Error): boolean {
  return error instanceof ApiError && [403, 404].includes(error.status)
}

interface FailureProps {
  id: string
  error: Error
  onRetry: () => void
  onClose: () => void
}

function DetailFailure({ id, error, onRetry, onClose }: FailureProps) {
  if (error instanceof ApiError && (error.code === 'organization_not_found' || error.status === 403)) {
    return (
      <EmptyState icon={<UserX />} title="You can no longer see this">
        {error.status === 403 ? error.message : 'You are not a member of this organisation any more.'}
      </EmptyState>
    )
  }
  if (isGone(error)) {
    const draft = findDraft(id)
    return (
      <>
        <EmptyState
          icon={<FileX2 />}
          title="This item is not here"
          action={
            <Button variant="secondary" onClick={onClose}>
              Back to the list
            </Button>
          }
        >
          It was deleted, alone or with its project, or it belongs to another organisation.
        </EmptyState>
        <div className="flex justify-center px-4 pb-8">
          <UnsentTexts texts={draft ? [draft] : []} />
        </div>
      </>
    )
  }
  return <LoadFailure title="The item could not be loaded" error={error} onRetry={onRetry} />
}

function DetailSkeleton() {
  return (
    <output className="mx-auto block max-w-3xl px-4 py-5 sm:px-8 sm:py-7">
      <span className="sr-only">Loading item</span>
      <Skeleton className="my-1 h-4 w-56" />
      <Skeleton className="mt-6 h-4" />
      <Skeleton className="mt-2 h-4 w-4/5" />
      <Skeleton className="mt-10 h-40" />
    </output>
  )
}
