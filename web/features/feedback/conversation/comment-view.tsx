import { Check, CircleAlert, Clock, Lock, MailX, Reply } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FeedbackComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { splitMentions } from './mentions.ts'

type Speaker = Pick<FeedbackDetail, 'visitorName' | 'visitorEmail'>

/** One thing that was said: by whom, to whom, and what became of it. */
export function CommentView({ comment, item }: { comment: FeedbackComment; item: Speaker }) {
  const { fromVisitor, kind, text, solved, itemNumber } = comment
  const visitor = itemNumber === null ? (item.visitorName ?? item.visitorEmail ?? 'The visitor') : 'The visitor'
  return (
    <li
      className={cn(
        'min-w-0 rounded-md border px-3 py-2.5 text-base',
        fromVisitor
          ? 'border-accent/40 bg-accent-soft/40'
          : kind === 'reply'
            ? 'border-border bg-surface'
            : 'border-transparent bg-warning-soft/50',
      )}
    >
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
        <bdi className="min-w-0 break-words font-medium text-foreground [overflow-wrap:anywhere]">
          {fromVisitor ? visitor : (comment.authorName ?? 'Unknown member')}
        </bdi>
        <Kind comment={comment} />
        <RelativeTime iso={comment.createdAt} />
        {itemNumber !== null && <span className="tabular-nums">on #{itemNumber}</span>}
      </p>
      {text !== '' && (
        <p dir="auto" className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]">
          {kind === 'note' ? <MentionText comment={comment} /> : text}
        </p>
      )}
      {solved !== null && (
        <p className={cn('mt-1 font-medium text-sm', solved ? 'text-success-text' : 'text-warning-text')}>
          {solved ? 'Marked as solved' : 'Marked as not solved'}
        </p>
      )}
      <Delivery comment={comment} address={itemNumber === null ? item.visitorEmail : null} />
    </li>
  )
}

function Kind({ comment: { fromVisitor, kind } }: { comment: FeedbackComment }) {
  if (fromVisitor) return <Badge tone="accent">Visitor</Badge>
  return kind === 'reply' ? (
    <Badge tone="info">
      <Reply aria-hidden="true" />
      Reply
    </Badge>
  ) : (
    <Badge>
      <Lock aria-hidden="true" />
      Note
    </Badge>
  )
}

function MentionText({ comment: { text, mentions } }: { comment: FeedbackComment }) {
  return splitMentions(text, mentions).map((part, index) =>
    part.isMention ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <bdi key={index} className="rounded-sm bg-accent-soft px-1 font-medium text-accent-text">
        @{part.text}
      </bdi>
    ) : (
      part.text
    ),
  )
}

/** What became of a reply's mail. */
function Delivery({ comment: { delivery }, address }: { comment: FeedbackComment; address: string | null }) {
  if (delivery === null) return null
  const to = address === null ? null : <bdi className="[overflow-wrap:anywhere]">{address}</bdi>
  const states: Record<typeof delivery, { icon: ReactNode; text: ReactNode; isBad?: boolean }> = {
    sent: { icon: <Check />, text: to ? <>Sent to {to}</> : 'Sent' },
    waiting: { icon: <Clock />, text: 'Waiting to be sent' },
    failed: {
      icon: <CircleAlert />,
      text: to ? <>Could not be delivered to {to}</> : 'Couldn’t be delivered',
      isBad: true,
    },
    no_address: { icon: <MailX />, text: 'Not emailed: no email address. The visitor can read it in the widget.' },
  }
  const { icon, text, isBad } = states[delivery]
  return (
    <p
      data-delivery={delivery}
      className={cn(
        'mt-2 flex items-start gap-1.5 text-sm [&_svg]:mt-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0',
        isBad ? 'text-danger-text' : 'text-muted',
      )}
    >
      <span aria-hidden="true">{icon}</span>
      <span className="min-w-0">{text}</span>
    </p>
  )
}
