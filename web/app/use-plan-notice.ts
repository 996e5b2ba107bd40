import { useInfiniteQuery } from '@tanstack/react-query'
import type { PlanWarning } from '#contract/plans.ts'
import { findPlanStanding } from '../features/billing/plan-standing.ts'
import { notificationsQuery } from '../features/notifications/notification-queries.ts'
import { type Organization, useOrganization } from '../lib/organization.tsx'

const dayMs = 86_400_000
/** As owners are warned by email. */
const warnedDays = [1, 3, 7]

/** What a line above every screen says: a warning, that the plan is not paid, or that it has ended. */
export type PlanNotice = PlanWarning | { readonly kind: 'past_due' | 'plan_over' }

/** While a trial ends, feedback is locked or the plan is not paid; undefined: none of these. */
export function usePlanNotice(): PlanNotice | undefined {
  const { organization } = useOrganization()
  // What the bell has read: limits are for owners alone.
  const notifications = useInfiniteQuery(notificationsQuery(organization.id))
  const items = notifications.data?.pages[0]?.planWarnings.find(({ kind }) => kind === 'items')
  if (organization.subscriptionStatus === 'past_due') return { kind: 'past_due' }
  return findEnd(organization, Date.now()) ?? items
}

/** Known with the organisation, so that nothing moves when the notifications arrive. */
function findEnd(organization: Organization, nowMs: number): PlanNotice | undefined {
  const standing = findPlanStanding(organization, nowMs)
  const common = { used: null, max: null, warnedAt: '' }
  if (standing.kind === 'plan_over') return { kind: 'plan_over' }
  if (standing.kind === 'trial_over') return { kind: 'trial_ended', level: 0, ...common }
  if (standing.kind !== 'on_trial') return undefined
  const daysLeft = (Date.parse(standing.endsAt) - nowMs) / dayMs
  const level = warnedDays.find((days) => daysLeft <= days)
  return level === undefined ? undefined : { kind: 'trial_expiring', level, ...common }
}
