import { Ticket, TicketCheck, TicketX } from 'lucide-react'
import type { IssueMark } from '#contract/issue-mark.ts'
import { cn } from '#web/ui/class-names.ts'
import { describeIssue } from './describe-issue.ts'

/** In a row of the list: whether the item has issues, and whether they are done. */
export function RowIssues({ issues }: { issues: readonly IssueMark[] }) {
  const [first, ...others] = issues
  if (first === undefined) return null
  const isBroken = issues.some(({ state }) => state === 'failed' || state === 'gone')
  const isDone = issues.every((issue) => issue.isDone)
  const Icon = isBroken ? TicketX : isDone ? TicketCheck : Ticket
  const text = `${others.length === 0 ? 'Issue' : 'Issues'}: ${issues.map(describeIssue).join('; ')}`
  return (
    <span
      title={text}
      className={cn(
        'flex shrink-0 items-center gap-1 tabular-nums',
        isBroken ? 'text-danger-text' : isDone && 'text-success-text',
      )}
    >
      <span className="sr-only">{text}</span>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {first.label !== null && (
        <span aria-hidden="true" className="hidden max-w-36 truncate @[40rem]:inline">
          {first.label}
        </span>
      )}
      {others.length > 0 && <span aria-hidden="true">+{others.length}</span>}
    </span>
  )
}
