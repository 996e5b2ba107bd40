import { Check, Star } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { AttachmentIcons, attachmentLabels } from '../attachments/attachments.tsx'
import { PriorityIcon, StatusIcon, TypeIcon } from '../feedback-icons.tsx'
import { formatPage } from '../item/page-link.ts'
import { TagChip } from '../item/tag-chip.tsx'

/** Height of a row in CSS pixels. Fixed, so that nothing moves and any number of rows can be placed without measuring. */
export const rowHeightPixels = 64

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
  const isUnread = item.firstViewedAt === null
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
          'flex h-full select-none items-start gap-2.5 border-border border-b py-3 pr-4 pl-2 focus-visible:outline-offset-[-2px]',
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
              {item.excerpt || <span className="text-muted">{describeWordless(item)}</span>}
            </span>
            <RelativeTime iso={item.createdAt} short className="shrink-0 text-right text-muted text-sm tabular-nums" />
          </span>
          <RowFacts {...props} hasMenus={menus !== undefined} />
        </span>
      </a>
      {props.canChoose && <RowCheckbox {...props} />}
      {menus !== undefined && <span className="absolute right-4 bottom-3 flex h-5 items-center gap-2">{menus}</span>}
    </div>
  )
})

/** The box by which a row is selected. */
function RowCheckbox({ item, isChosen, isChoosing, onToggle }: RowProps) {
  return (
    <label
      className={cn(
        'absolute top-0 left-4 flex h-11 w-9 items-center justify-center',
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

/** The row's second line: who and where, and in small signs what it consists of and who deals with it. */
function RowFacts({ item, projectName, assignee, hasMenus }: RowProps & { hasMenus: boolean }) {
  const [tag, ...otherTags] = item.tags
  return (
    <span className="flex h-5 items-center gap-2.5 text-muted text-sm">
      <span className="min-w-0 flex-1 truncate">
        <span className="tabular-nums">#{item.number}</span>
        {projectName !== undefined && (
          <>
            {' · '}
            <bdi>{projectName}</bdi>
          </>
        )}
        {' · '}
        <bdi>{item.visitorName ?? item.visitorEmail ?? formatPage(item.pageUrl)}</bdi>
      </span>
      {tag !== undefined && (
        <span className="flex min-w-0 max-w-[40%] shrink-0 items-center gap-1">
          <span className="sr-only">Tags: {item.tags.join(', ')}</span>
          <span aria-hidden="true" className="flex min-w-0 items-center gap-1">
            <TagChip tag={tag} />
            {otherTags.length > 0 && <span className="text-xs tabular-nums">+{otherTags.length}</span>}
          </span>
        </span>
      )}
      {item.attachmentKinds.length > 0 && (
        <span className="flex shrink-0 items-center gap-1.5">
          <AttachmentIcons kinds={item.attachmentKinds} />
        </span>
      )}
      {item.nps !== null && (
        <span className="shrink-0 tabular-nums">
          <span className="sr-only">Would recommend: </span>
          {item.nps}/10
        </span>
      )}
      {item.rating !== null && (
        <span className="flex shrink-0 items-center gap-0.5 tabular-nums">
          <span className="sr-only">Rating</span>
          {item.rating}
          <Star aria-hidden="true" className="size-3 fill-current" />
        </span>
      )}
      {assignee && (
        <span className="flex shrink-0" title={`Assigned to ${assignee.name}`}>
          <span className="sr-only">Assigned to {assignee.name}</span>
          <Avatar name={assignee.name} src={assignee.picture} className="size-5 text-[0.5625rem]" />
        </span>
      )}
      {hasMenus ? (
        <span className="w-10 shrink-0" />
      ) : (
        <span className="flex shrink-0 items-center gap-2">
          <PriorityIcon priority={item.priority} named />
          <StatusIcon status={item.status} named />
        </span>
      )}
    </span>
  )
}

/** What an item consists of whose visitor wrote nothing. */
export function describeWordless({ attachmentKinds, rating, nps }: FeedbackListItem): string {
  const [first] = attachmentKinds
  if (first !== undefined) return attachmentLabels[first]
  if (rating !== null) return `Rating: ${rating} of 5`
  if (nps !== null) return `Would recommend: ${nps} of 10`
  return 'No message'
}
