import { Link } from 'react-router'
import type { InstanceOrganizationDetail } from '#contract/superadmin-organizations.ts'
import { locale } from '#web/lib/locale.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { UsageRow } from '#web/shared/usage-row.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { StatusBadge } from '../subscriptions/status-badge.tsx'

/** Plan, trial, and what is used of the limits. */
export function LimitsCard({ organization: { id, entitlements } }: { organization: InstanceOrganizationDetail }) {
  const { status, plan, trialEndsAt, hasEnded, locksNewFeedback, projects, members, items } = entitlements
  const isTrialOver = trialEndsAt !== null && Date.parse(trialEndsAt) <= Date.now()
  return (
    <Card aria-labelledby="plan-title">
      <CardHeader>
        <CardTitle id="plan-title">Plan and limits</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <dl className="divide-y divide-border text-base">
          <Fact name="Plan">{plan?.name ?? 'No plan'}</Fact>
          <Fact name="Status">
            <StatusBadge status={status} />
          </Fact>
          {trialEndsAt !== null && (
            <Fact name={isTrialOver ? 'Trial ended' : 'Trial ends'}>{formatDay(trialEndsAt)}</Fact>
          )}
          {locksNewFeedback && (
            <Fact name="New feedback">
              {hasEnded ? 'Locked until a plan is chosen' : 'Locked: the limit of the month is reached'}
            </Fact>
          )}
          <Fact name="Payments">
            <Link className="underline underline-offset-4" to={`/dashboard/superadmin/subscriptions/${id}`}>
              Subscription and payments
            </Link>
          </Fact>
        </dl>
        <Limit name="Items this month" {...items} />
        <Limit name="Projects" {...projects} />
        <Limit name="Members and invitations" {...members} />
      </CardContent>
    </Card>
  )
}

function Limit({ name, used, max }: { name: string; used: number; max: number | null }) {
  const text =
    max === null
      ? `${used.toLocaleString(locale)}, no limit`
      : `${used.toLocaleString(locale)} of ${max.toLocaleString(locale)}`
  return <UsageRow name={name} text={text} note={undefined} used={used} limit={max} />
}
