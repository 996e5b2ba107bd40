import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { overviewQuery } from '#web/features/analytics/analytics-queries.ts'
import { formatCount } from '#web/features/analytics/format-numbers.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { useUser } from '../../lib/session.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const numberNames = ['unread', 'new', 'assigned', 'unassigned']
const unresolved = ['new', 'open', 'in_progress']
const priorities = [
  { value: 'urgent', colour: 'bg-(--chart-5)' },
  { value: 'high', colour: 'bg-(--chart-2)' },
  { value: 'medium', colour: 'bg-(--chart-1)' },
  { value: 'low', colour: 'bg-(--chart-3)' },
  { value: 'none', colour: 'bg-border-strong' },
] as const

/** The inbox summary: four counts and the priorities, each linked to its items. */
export function InboxOverview() {
  const { organization } = useOrganization()
  const user = useUser()
  const { data, error, refetch } = useQuery(overviewQuery(organization.id))
  if (error && !data) {
    return (
      <Card>
        <LoadFailure title="Couldn’t load the inbox summary" error={error} onRetry={() => refetch()} />
      </Card>
    )
  }
  if (!data) {
    return (
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-2 gap-4">
          {numberNames.map((name) => (
            <Skeleton key={name} className="h-26 rounded-lg" />
          ))}
        </div>
        <Skeleton className="h-56 rounded-lg pointer-coarse:h-72" />
      </div>
    )
  }
  const numbers = [
    { label: 'Unread', note: 'Not read by you', n: data.unread, to: link([], { unread: 'true' }) },
    { label: statusLabels.new, note: 'Not started', n: data.fresh, to: link(['new']) },
    {
      label: 'Assigned to you',
      note: 'Unresolved',
      n: data.assignedToYou,
      to: link(unresolved, { assignee: user.id }),
    },
    { label: 'Unassigned', note: 'Unresolved', n: data.unassigned, to: link(unresolved, { assignee: 'none' }) },
  ]
  const most = Math.max(1, ...Object.values(data.priorities))
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <section aria-label="Inbox summary" className="grid grid-cols-2 gap-4">
        {numbers.map(({ label, note, n, to }) => (
          <Link
            key={label}
            to={to}
            className="flex flex-col gap-0.5 rounded-lg border border-border bg-surface px-5 py-4 shadow-sm transition-colors hover:border-border-strong"
          >
            <span className="font-medium text-base">{label}</span>
            <span className="font-semibold text-2xl tabular-nums">{formatCount(n)}</span>
            <span className="text-muted text-sm">{note}</span>
          </Link>
        ))}
      </section>
      <Card aria-labelledby="by-priority" className="px-5 py-4">
        <h2 id="by-priority" className="font-semibold text-base">
          Unresolved by priority
        </h2>
        <p className="text-muted text-sm">{formatCount(data.unresolved)} in the inbox, neither resolved nor closed</p>
        <ul className="-mx-2 mt-2 flex flex-col">
          {priorities.map(({ value, colour }) => {
            const n = data.priorities[value] ?? 0
            return (
              <li key={value}>
                <Link
                  to={link(unresolved, { priority: value })}
                  className="flex items-center gap-3 rounded-md px-2 py-1 text-base transition-colors hover:bg-hover pointer-coarse:py-2.5"
                >
                  <span className="w-20 shrink-0">{priorityLabels[value]}</span>
                  <span aria-hidden="true" className="h-2 min-w-0 flex-1 rounded-xs bg-sunken">
                    <span className={`block h-2 rounded-xs ${colour}`} style={{ width: `${(100 * n) / most}%` }} />
                  </span>
                  <span className="w-12 shrink-0 text-right tabular-nums">{formatCount(n)}</span>
                </Link>
              </li>
            )
          })}
        </ul>
      </Card>
    </div>
  )
}

function link(statuses: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams([...statuses.map((status) => ['status', status]), ...Object.entries(more)])
  return `/dashboard/feedback?${search}`
}
