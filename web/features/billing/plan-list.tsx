import { type ReactNode, useState } from 'react'
import type { PlanOffer } from '#contract/plans.ts'
import { type BillingPeriod, describeLimits, describeSaving, formatPrice } from './describe-plan.ts'
import { PeriodChoice } from './period-choice.tsx'

interface PlanListProps {
  plans: readonly PlanOffer[]
  /** The period shown first. */
  initialPeriod?: BillingPeriod
  /** At the end of each line. */
  renderAction: (plan: PlanOffer, period: BillingPeriod) => ReactNode
}

/** Plans one below the other, with their prices by month or by year. */
export function PlanList({ plans, initialPeriod = 'month', renderAction }: PlanListProps) {
  const [period, setPeriod] = useState<BillingPeriod>(initialPeriod)
  return (
    <div className="flex flex-col gap-6">
      <PeriodChoice period={period} saving={describeSaving(plans)} onChoose={setPeriod} />
      <ul className="divide-y divide-border rounded-lg border border-border bg-surface shadow-sm">
        {plans.map((plan) => (
          <li key={plan.id} aria-label={plan.name} className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
            <div className="flex flex-1 basis-56 flex-col gap-1 text-base">
              <h2 className="font-medium">
                {plan.name}, {formatPrice(period === 'month' ? plan.monthlyCents : plan.yearlyCents)} a {period}
              </h2>
              <ul className="text-muted">
                {describeLimits(plan).map((limit) => (
                  <li key={limit}>{limit}</li>
                ))}
              </ul>
            </div>
            {renderAction(plan, period)}
          </li>
        ))}
      </ul>
    </div>
  )
}
