import { Star } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { AttachmentIcons, attachmentLabels } from './attachments/attachments.tsx'
import { PriorityIcon, StatusIcon, TypeIcon } from './feedback-icons.tsx'
import { formatPage } from './page-link.ts'

/** Height of a row in CSS pixels. Fixed, so that nothing moves and any number of rows can be placed without measuring. */
export const rowHeightPixels = 60

interface RowProps {
  item: FeedbackListItem
  projectName: string | undefined
  /** The address that opens the item. */
  href: string
  isOpen: boolean
  isCurrent: boolean
  onOpen: (id: string) => void
  /** In place of the status and priority icons: their menu, when it is asked for from the keyboard. */
  menus?: ReactNode
}

/** One item of the list: a link, so that it also opens in a new tab. */
export const FeedbackRow = memo(function FeedbackRow({
  item,
  projectName,
  href,
  isOpen,
  isCurrent,
  onOpen,
  menus,
}: RowProps) {
  const isUnread = item.firstViewedAt === null
  return (
    <div className="relative h-full">
      <Link
        to={href}
        preventScrollReset
        data-item-id={item.id}
        aria-current={isOpen ? 'true' : undefined}
        // The list is one stop of the Tab key; j, k and the arrows move within.
        tabIndex={isCurrent ? 0 : -1}
        onClick={(event) => {
          if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          onOpen(item.id)
        }}
        className={cn(
          'flex h-full items-start gap-3 border-border border-b py-2.5 pr-4 pl-2 focus-visible:outline-offset-[-2px]',
          isOpen ? 'bg-accent-soft' : isCurrent ? 'bg-hover' : 'hover:bg-hover',
        )}
      >
        <span className="flex h-5 shrink-0 items-center gap-2">
          <span
            className={cn('size-2 rounded-full', isUnread && 'bg-accent')}
            {...(isUnread && { role: 'img', 'aria-label': 'Unread' })}
          />
          <TypeIcon type={item.type} named />
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
          <span className="flex h-5 items-center gap-3 text-muted text-sm">
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
            {menus === undefined && (
              <span className="flex shrink-0 items-center gap-2">
                <PriorityIcon priority={item.priority} named />
                <StatusIcon status={item.status} named />
              </span>
            )}
            {menus !== undefined && <span className="w-10 shrink-0" />}
          </span>
        </span>
      </Link>
      {menus !== undefined && (
        <span className="absolute right-4 bottom-[calc(0.625rem-1px)] flex h-5 items-center gap-2">{menus}</span>
      )}
    </div>
  )
})

/** What an item consists of whose visitor wrote nothing. */
export function describeWordless({ attachmentKinds, rating, nps }: FeedbackListItem): string {
  const [first] = attachmentKinds
  if (first !== undefined) return attachmentLabels[first]
  if (rating !== null) return `Rating: ${rating} of 5`
  if (nps !== null) return `Would recommend: ${nps} of 10`
  return 'Without words'
}
