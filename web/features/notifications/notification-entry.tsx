import { Mail, MailOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Notification } from '#contract/notifications.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'

interface EntryProps {
  to: string
  isRead: boolean
  at: string
  detail: string
  onOpen: () => void
  /** Toggles read and unread; absent where the notification has no such state. */
  onToggle?: () => void
  children: ReactNode
}

/** One notification: its link, and a button that toggles read and unread. */
export function NotificationEntry({ to, isRead, at, detail, onOpen, onToggle, children }: EntryProps) {
  return (
    <li className="group/entry flex items-start rounded-md hover:bg-hover">
      <Link to={to} onClick={onOpen} className="flex min-w-0 flex-1 gap-3 rounded-md px-3 py-2">
        <span
          aria-hidden="true"
          className={cn('mt-1.5 size-2 shrink-0 rounded-full', isRead ? 'bg-transparent' : 'bg-accent')}
        />
        <span className="min-w-0 flex-1">
          <span className={cn('block text-base [overflow-wrap:anywhere]', !isRead && 'font-medium')}>
            {!isRead && <span className="sr-only">Unread: </span>}
            {children}
          </span>
          <bdi className="block truncate text-muted text-sm">{detail}</bdi>
          <span className="block text-muted text-xs">
            <RelativeTime iso={at} />
          </span>
        </span>
      </Link>
      {onToggle && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={isRead ? 'Mark as unread' : 'Mark as read'}
          title={isRead ? 'Mark as unread' : 'Mark as read'}
          onClick={onToggle}
          className="mt-1 mr-1 text-muted opacity-0 focus-visible:opacity-100 group-focus-within/entry:opacity-100 group-hover/entry:opacity-100 pointer-coarse:opacity-100"
        >
          {isRead ? <Mail aria-hidden="true" /> : <MailOpen aria-hidden="true" />}
        </Button>
      )}
    </li>
  )
}

/** The notification's text. */
export function describeNotification({ kind, actorName, number, itemCount }: Notification): ReactNode {
  if (kind === 'visitor_replied') return `The visitor replied in #${number}`
  const who = <bdi>{actorName ?? 'Someone'}</bdi>
  if (kind === 'mentioned')
    return (
      <>
        {who} mentioned you in #{number}
      </>
    )
  return (
    <>
      {who} assigned {itemCount > 1 ? `${itemCount} items` : `#${number}`} to you
    </>
  )
}
