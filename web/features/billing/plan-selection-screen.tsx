import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { locale } from '#web/lib/locale.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { BillingFrame } from './billing-frame.tsx'
import { LeaveButton } from './leave-button.tsx'
import type { PlanStanding } from './plan-standing.ts'
import { type BillingPeriod, computePrice, describeLimits, type Plan, plans } from './plans.ts'

/** The plans side by side. They can't be bought here yet; the screen names whom to contact. */
export function PlanSelectionScreen({ standing }: { standing: PlanStanding }) {
  const [period, setPeriod] = useState<BillingPeriod>('month')
  const isFree = standing.kind === 'not_needed'
  return (
    <BillingFrame isWide title={isFree ? 'No plan needed' : 'Plans'} lead={<p>{describeStanding(standing)}</p>}>
      {!isFree && (
        <>
          <PeriodChoice period={period} onChoose={setPeriod} />
          <ul className="grid gap-4 md:grid-cols-3">
            {plans.map((plan) => (
              <PlanCard key={plan.name} plan={plan} period={period} />
            ))}
          </ul>
          <div className="flex max-w-2xl flex-col gap-1 rounded-lg border border-border bg-surface p-5 text-base shadow-sm">
            <p className="font-medium">How to get a plan</p>
            <p className="text-muted">
              You can't buy plans on this page yet: billing comes with a later version. Until then, please contact the
              administrator of this instance. Over a plan's limit, feedback is stored and locked: nothing is turned
              away.
            </p>
          </div>
        </>
      )}
      <div>
        <LeaveButton standing={standing} isPrimary={isFree} />
      </div>
    </BillingFrame>
  )
}

function describeStanding(standing: PlanStanding): string {
  switch (standing.kind) {
    case 'not_needed':
      return 'This is a self-hosted instance: no trial, no limits, every feature.'
    case 'on_plan':
      return 'Your organisation has a plan. Compare available plans.'
    case 'on_trial':
      return `Your trial runs until ${formatDay(standing.endsAt)}, with every feature. After it, choose a plan to continue.`
    case 'trial_over':
      return 'Your trial has ended. Choose a plan to unlock your feedback.'
    case 'unknown':
      return 'Start with a 14-day trial of every feature. No card needed.'
  }
}

function PeriodChoice({ period, onChoose }: { period: BillingPeriod; onChoose: (period: BillingPeriod) => void }) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap items-center gap-3">
      <legend className="sr-only">Billing period</legend>
      <div className="flex rounded-md border border-border bg-sunken p-0.5">
        {(['month', 'year'] as const).map((value) => (
          <label
            key={value}
            className="cursor-pointer rounded-sm px-3 py-1 font-medium text-base text-muted has-checked:bg-accent-soft has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={period === value}
              onChange={() => onChoose(value)}
              className="sr-only"
            />
            {value === 'month' ? 'Monthly' : 'Yearly'}
          </label>
        ))}
      </div>
      <span className="text-muted text-sm">Pay for ten months, get twelve.</span>
    </fieldset>
  )
}

function PlanCard({ plan, period }: { plan: Plan; period: BillingPeriod }) {
  return (
    <li className="flex flex-col gap-5 rounded-lg border border-border bg-surface p-5 shadow-sm">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold text-lg">{plan.name}</h2>
        <p className="text-base text-muted">{plan.forWhom}</p>
      </div>
      <p className="flex items-baseline gap-1.5">
        <span className="font-semibold text-3xl tabular-nums">
          ${computePrice(plan, period).toLocaleString(locale)}
        </span>
        <span className="text-base text-muted">a {period}</span>
      </p>
      <ul className="flex flex-col gap-2">
        {describeLimits(plan).map((limit) => (
          <li key={limit} className="flex gap-2.5 text-base">
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
            {limit}
          </li>
        ))}
      </ul>
    </li>
  )
}
