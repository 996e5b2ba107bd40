import type { ReactNode } from 'react'
import type { PlanOffer } from '#contract/plans.ts'
import { type BillingPeriod, describeLimits, formatPrice } from './describe-plan.ts'

interface PlanListProps {
  plans: readonly PlanOffer[]
  initialPeriod?: BillingPeriod
  /** At the end of each line. */
  renderAction: (plan: PlanOffer, period: BillingPeriod) => ReactNode
}

/** Plans one below the other, at one period's prices. */
export function PlanList({ plans, initialPeriod: period = 'month', renderAction }: PlanListProps) {
  return (
    <ul className="divide-y divide-border rounded-lg border border-border bg-surface shadow-sm">
      {plans.map((plan) => (
        <li key={plan.id} aria-label={plan.name} className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
          <div className="flex flex-1 basis-56 flex-col gap-0.5 text-base">
            <h2 className="font-medium">
              {plan.name}, {formatPrice(period === 'month' ? plan.monthlyCents : plan.yearlyCents)} a {period}
            </h2>
            <p className="text-muted">{describeLimits(plan).join(' · ')}</p>
          </div>
          {renderAction(plan, period)}
        </li>
      ))}
    </ul>
  )
}
