import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { PlanWarning } from '#contract/plans.ts'
import { findPlanStanding } from '../features/billing/plan-standing.ts'
import { notificationsQuery } from '../features/notifications/notification-queries.ts'
import { type Organization, useOrganization } from '../lib/organization.tsx'
import { describePlanWarning } from '../shared/describe-plan-warning.ts'

const dayMs = 86_400_000
/** As owners are warned by email. */
const warnedDays = [1, 3, 7]

/** A line above every screen while a trial ends or feedback is locked; undefined: neither. */
export function usePlanBanner(): string | undefined {
  const { organization } = useOrganization()
  // What the bell has read: limits are for owners alone.
  const notifications = useInfiniteQuery(notificationsQuery(organization.id))
  const items = notifications.data?.pages[0]?.planWarnings.find(({ kind }) => kind === 'items')
  const warning = findTrialWarning(organization, Date.now()) ?? items
  return warning && describePlanWarning(warning)
}

export function PlanBanner({ children }: { children: string }) {
  const { can } = useOrganization()
  return (
    <div
      role="status"
      className="flex h-10 shrink-0 items-center justify-center gap-3 border-border border-b bg-warning-soft px-4 text-base text-warning-text"
    >
      <p className="min-w-0 truncate">{children}</p>
      {can('manage_organization') ? (
        <Link to="/plan-selection" className="shrink-0 font-medium underline underline-offset-2">
          Compare plans
        </Link>
      ) : (
        <span className="shrink-0 max-sm:hidden">Ask an owner to choose a plan.</span>
      )}
    </div>
  )
}

/** Known with the organisation, so that nothing moves when the notifications arrive. */
function findTrialWarning(organization: Organization, nowMs: number): PlanWarning | undefined {
  const standing = findPlanStanding(organization, nowMs)
  const common = { used: null, max: null, warnedAt: '' }
  if (standing.kind === 'trial_over') return { kind: 'trial_ended', level: 0, ...common }
  if (standing.kind !== 'on_trial') return undefined
  const daysLeft = (Date.parse(standing.endsAt) - nowMs) / dayMs
  const level = warnedDays.find((days) => daysLeft <= days)
  return level === undefined ? undefined : { kind: 'trial_expiring', level, ...common }
}
