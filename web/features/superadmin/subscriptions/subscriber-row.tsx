import { Link } from 'react-router'
import type { Subscriber } from '#contract/superadmin-subscriptions.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCents } from '../format-money.ts'
import { StatusBadge } from './status-badge.tsx'

/** An organisation in the list: the whole row leads to its billing. */
export function SubscriberRow({ subscriber }: { subscriber: Subscriber }) {
  const { organization, owners, status, plan, isGranted, revenueCents, trialEndsAt } = subscriber
  return (
    <Link
      to={`/dashboard/superadmin/subscriptions/${organization.id}`}
      className="grid gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover focus-visible:outline-offset-[-2px] sm:grid-cols-[minmax(0,1fr)_minmax(0,12rem)_7rem] sm:items-center"
    >
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{organization.name}</bdi>
        <span className="block truncate text-muted text-sm">{owners.join(', ') || 'No owner'}</span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <StatusBadge status={status} />
        {plan && <span>{plan.name}</span>}
        {isGranted && <Badge tone="accent">Given</Badge>}
        {status === 'trialing' && trialEndsAt !== null && (
          <span className="text-muted">until {formatDay(trialEndsAt)}</span>
        )}
      </span>
      <span className="text-sm tabular-nums sm:text-right">
        {formatCents(revenueCents)}
        <span className="text-muted"> / month</span>
      </span>
    </Link>
  )
}
