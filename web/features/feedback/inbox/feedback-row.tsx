import { AlarmClock, Check, Lock, Star, Tag } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { AttachmentIcons, attachmentLabels } from '../attachments/attachment-icons.tsx'
import { PriorityIcon, priorityColours, StatusIcon, statusColours, TypeIcon } from '../feedback-icons.tsx'
import { RowIssues } from '../issues/row-issues.tsx'
import { shortenPage } from '../item/page-link.ts'
import { TagChip } from '../item/tag-chip.tsx'

/** Who looks after an item, as its row shows it. */
export interface RowPerson {
  name: string
  picture: string | undefined
}

interface RowProps {
  item: FeedbackListItem
  projectName: string | undefined
  assignee: RowPerson | undefined
  /** The address that opens the item. */
  href: string
  isOpen: boolean
  isCurrent: boolean
  isChosen: boolean
  /** Something is chosen: all boxes show. */
  isChoosing: boolean
  canChoose: boolean
  onOpen: (id: string) => void
  onToggle: (id: string, isRange: boolean) => void
  /** In place of the status and priority icons: their menu, when it is asked for from the keyboard. */
  menus?: ReactNode
}

/** One item of the list: a link, so that it also opens in a new tab. */
export const FeedbackRow = memo(function FeedbackRow(props: RowProps) {
  const { item, href, isOpen, isCurrent, isChosen, onOpen, onToggle, menus } = props
  const isUnread = item.unread
  return (
    <div className={cn('group/row relative h-full', isChosen && 'bg-accent-soft')}>
      {/* The router's own link asks for much, and hundreds of rows a second come and go. */}
      <a
        href={href}
        data-item-id={item.id}
        aria-current={isOpen ? 'true' : undefined}
        // The list is one stop of the Tab key; j, k and the arrows move within.
        tabIndex={isCurrent ? 0 : -1}
        onClick={(event) => {
          if (event.shiftKey && props.canChoose) {
            event.preventDefault()
            onToggle(item.id, true)
            return
          }
          if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return
          event.preventDefault()
          onOpen(item.id)
        }}
        className={cn(
          'flex h-full select-none items-start gap-2.5 border-border border-b py-3 dense:py-1 pr-4 pl-2 focus-visible:outline-offset-[-2px]',
          isOpen ? 'bg-accent-soft' : isCurrent ? 'bg-hover' : 'hover:bg-hover',
        )}
      >
        <span className="flex h-5 shrink-0 items-center gap-2">
          <span
            className={cn('size-2 rounded-full', isUnread && 'bg-accent')}
            {...(isUnread && { role: 'img', 'aria-label': 'Unread' })}
          />
          <TypeIcon
            type={item.type}
            named
            // The box stands in its place. With a finger, the sign is pressed instead.
            className={cn(
              props.canChoose &&
                (props.isChoosing
                  ? 'opacity-0'
                  : 'group-focus-within/row:opacity-0 group-hover/row:opacity-0 pointer-coarse:opacity-100!'),
            )}
          />
        </span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex items-baseline gap-3">
            <span
              dir="auto"
              className={cn('min-w-0 flex-1 truncate text-base', isUnread ? 'font-semibold' : 'text-foreground')}
            >
              {item.excerpt || (
                <span className="text-muted">
                  {item.locked && <Lock aria-hidden="true" className="mr-1.5 inline size-3.5" />}
                  {describeWordless(item)}
                </span>
              )}
            </span>
            <RowTime item={item} />
          </span>
          <RowFacts {...props} hasMenus={menus !== undefined} />
        </span>
      </a>
      {props.canChoose && <RowCheckbox {...props} />}
      {menus !== undefined && (
        <span className="absolute right-4 bottom-3 dense:bottom-1 flex h-5 items-center gap-2.5">{menus}</span>
      )}
    </div>
  )
})

/** When it came; of a snoozed item, when it returns. */
function RowTime({ item: { location, createdAt, snoozedUntil } }: { item: FeedbackListItem }) {
  if (location !== 'snoozed' || snoozedUntil === null)
    return <RelativeTime iso={createdAt} short className="shrink-0 text-right text-muted text-sm tabular-nums" />
  return (
    <span className="flex shrink-0 items-center gap-1 text-muted text-sm tabular-nums">
      <AlarmClock aria-hidden="true" className="size-3.5 self-center" />
      <span className="sr-only">Snoozed until</span>
      {formatMoment(snoozedUntil)}
    </span>
  )
}

/** The box by which a row is selected. */
function RowCheckbox({ item, isChosen, isChoosing, onToggle }: RowProps) {
  return (
    <label
      className={cn(
        'absolute top-0 left-4 flex h-11 dense:h-7 w-9 items-center justify-center',
        !isChoosing &&
          'opacity-0 focus-within:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-0!',
      )}
    >
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isChosen}
        aria-label={`Select #${item.number}`}
        onChange={() => undefined}
        onClick={(event) => onToggle(item.id, event.shiftKey)}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className={cn(
          'flex size-4 items-center justify-center rounded-sm border border-border-strong bg-surface peer-focus-visible:outline-2 peer-focus-visible:outline-ring',
          isChosen && 'border-accent bg-accent',
        )}
      >
        {isChosen && <Check className="size-3 text-on-accent" strokeWidth={3} />}
      </span>
    </label>
  )
}

/**
 * The row's second line: who and where, and in columns of fixed width, so that rows can be compared, what it was rated
 * and who deals with it.
 */
function RowFacts({ item, projectName, assignee, hasMenus }: RowProps & { hasMenus: boolean }) {
  return (
    <span className="flex h-5 items-center gap-2.5 text-muted text-sm">
      {/* What does not fit wraps out of sight as a whole: half a word says nothing. */}
      <span className="flex h-5 min-w-0 flex-1 flex-wrap items-center overflow-hidden">
        <span className="mr-1.5 tabular-nums">#{item.number}</span>
        {item.source === 'test' && <Badge className="mr-1.5 leading-4">Test</Badge>}
        <bdi className="mr-1.5 min-w-0 max-w-[calc(100%-3.5rem)] truncate">
          {item.visitorName ?? item.visitorEmail ?? shortenPage(item.pageUrl)}
        </bdi>
        {projectName !== undefined && (
          <span className="min-w-0 max-w-full truncate">
            · <bdi>{projectName}</bdi>
          </span>
        )}
      </span>
      <RowTags tags={item.tags} />
      <RowIssues issues={item.issues} />
      {item.attachmentKinds.length > 0 && (
        <span className="flex shrink-0 items-center gap-1.5">
          <AttachmentIcons kinds={item.attachmentKinds} />
        </span>
      )}
      <span className="flex w-8 shrink-0 items-center justify-end tabular-nums">
        <RowRating item={item} />
      </span>
      <span className="flex w-5 shrink-0" title={assignee && `Assigned to ${assignee.name}`}>
        {assignee && (
          <>
            <span className="sr-only">Assigned to {assignee.name}</span>
            <Avatar name={assignee.name} src={assignee.picture} className="size-5 text-[0.5625rem]" />
          </>
        )}
      </span>
      {hasMenus ? (
        <span className="w-10.5 shrink-0" />
      ) : (
        <>
          <span className={cn('flex shrink-0 items-center gap-1.5 @[30rem]:w-20', priorityColours[item.priority])}>
            <PriorityIcon priority={item.priority} named />
            {item.priority !== 'none' && <ColumnWord>{priorityLabels[item.priority]}</ColumnWord>}
          </span>
          <span className={cn('flex shrink-0 items-center gap-1.5 @[30rem]:w-24', statusColours[item.status])}>
            <StatusIcon status={item.status} named />
            <ColumnWord>{statusLabels[item.status]}</ColumnWord>
          </span>
        </>
      )}
    </span>
  )
}

/** The word beside an icon that already names it, where the list is wide enough. */
function ColumnWord({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="truncate @max-[30rem]:hidden">
      {children}
    </span>
  )
}

function RowTags({ tags: [tag, ...others] }: { tags: readonly string[] }) {
  if (tag === undefined) return null
  return (
    <span className="flex min-w-0 max-w-[30%] shrink-0 items-center gap-1">
      <span className="sr-only">Tags: {[tag, ...others].join(', ')}</span>
      <span aria-hidden="true" className="hidden min-w-0 items-center gap-1 @[40rem]:flex">
        <TagChip tag={tag} />
        {others.length > 0 && <span className="text-xs tabular-nums">+{others.length}</span>}
      </span>
      <span
        aria-hidden="true"
        title={[tag, ...others].join(', ')}
        className="flex items-center gap-0.5 tabular-nums @[40rem]:hidden"
      >
        <Tag className="size-3.5" />
        {others.length + 1}
      </span>
    </span>
  )
}

/** Stars, or else the answer to whether the visitor would recommend the site. */
function RowRating({ item: { rating, nps } }: { item: FeedbackListItem }) {
  if (rating !== null) {
    return (
      <span className="flex items-center gap-0.5">
        <span className="sr-only">Rating</span>
        {rating}
        <Star aria-hidden="true" className="size-3 fill-current" />
      </span>
    )
  }
  if (nps === null) return null
  return (
    <span>
      <span className="sr-only">Would recommend: </span>
      {nps}/10
    </span>
  )
}

/** What an item consists of whose visitor wrote nothing, or whose content can't be read. */
export function describeWordless({ attachmentKinds, locked, rating, nps }: FeedbackListItem): string {
  if (locked) return 'Locked'
  const [first] = attachmentKinds
  if (first !== undefined) return attachmentLabels[first]
  if (rating !== null) return `Rating: ${rating} of 5`
  if (nps !== null) return `Would recommend: ${nps} of 10`
  return 'No message'
}
