import { Link } from 'react-router'
import type { Billing } from '#contract/billing.ts'
import type { Entitlements } from '#contract/plans.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { describeSubscription } from './describe-subscription.ts'
import { RunningPlan } from './running-plan.tsx'

interface PlanSectionProps {
  organizationId: string
  entitlements: Entitlements
  billing: Billing
}

/** The plan: what it costs, until when it runs, and what can be done with it. */
export function PlanSection({ organizationId, entitlements, billing }: PlanSectionProps) {
  const { subscription, withdrawableUntil } = billing
  if (subscription) {
    return (
      <RunningPlan
        organizationId={organizationId}
        status={entitlements.status}
        subscription={subscription}
        withdrawableUntil={withdrawableUntil}
      />
    )
  }
  const { title, text, hasPlans } = describeSubscription(entitlements, formatDay)
  return (
    <>
      <div className="flex flex-col gap-1 p-5 text-base">
        <p className="font-medium text-lg">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      {hasPlans && (
        <SettingsBar>
          <Button asChild>
            <Link to="/plan-selection">Choose a plan</Link>
          </Button>
        </SettingsBar>
      )}
    </>
  )
}
