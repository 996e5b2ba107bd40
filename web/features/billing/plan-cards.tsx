import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PlanOffer } from '#contract/plans.ts'
import { type BillingPeriod, describeLimits, describeSaving, formatPrice } from './describe-plan.ts'
import { PeriodChoice } from './period-choice.tsx'

interface PlanCardsProps {
  plans: readonly PlanOffer[]
  /** The period shown first. */
  initialPeriod?: BillingPeriod
  /** Below each plan. */
  renderAction: (plan: PlanOffer, period: BillingPeriod) => ReactNode
}

/** Plans side by side, with their prices by month or by year. */
export function PlanCards({ plans, initialPeriod = 'month', renderAction }: PlanCardsProps) {
  const [period, setPeriod] = useState<BillingPeriod>(initialPeriod)
  return (
    <div className="flex flex-col gap-6">
      <PeriodChoice period={period} saving={describeSaving(plans)} onChoose={setPeriod} />
      <PlanCardList plans={plans} period={period} renderAction={renderAction} />
    </div>
  )
}

/** Plans side by side, with their prices of one period. */
export function PlanCardList({
  plans,
  period,
  renderAction,
}: Omit<PlanCardsProps, 'initialPeriod'> & { period: BillingPeriod }) {
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {plans.map((plan) => (
        <PlanCard key={plan.id} plan={plan} period={period}>
          {renderAction(plan, period)}
        </PlanCard>
      ))}
    </ul>
  )
}

function PlanCard({ plan, period, children }: { plan: PlanOffer; period: BillingPeriod; children: ReactNode }) {
  return (
    <li aria-label={plan.name} className="flex flex-col gap-5 rounded-lg border border-border bg-surface p-5 shadow-sm">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold text-lg">{plan.name}</h2>
        <p className="text-base text-muted">{plan.forWhom}</p>
      </div>
      <p className="flex items-baseline gap-1.5">
        <span className="font-semibold text-3xl tabular-nums">
          {formatPrice(period === 'month' ? plan.monthlyCents : plan.yearlyCents)}
        </span>
        <span className="text-base text-muted">a {period}</span>
      </p>
      <ul className="flex flex-1 flex-col gap-2">
        {describeLimits(plan).map((limit) => (
          <li key={limit} className="flex gap-2.5 text-base">
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
            {limit}
          </li>
        ))}
      </ul>
      {children}
    </li>
  )
}
