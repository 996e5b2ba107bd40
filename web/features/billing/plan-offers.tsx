import type { PlanOffer } from '#contract/plans.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { Button } from '#web/ui/button.tsx'
import { type BillingPeriod, describeSaving } from './describe-plan.ts'
import { PeriodChoice } from './period-choice.tsx'
import { PlanCardList } from './plan-cards.tsx'

/** Plans side by side on a page without React: the styles alone show the prices of the chosen period. */
export function PlanOffers({ plans }: { plans: readonly PlanOffer[] }) {
  return (
    <div className="group/offers flex flex-col gap-6">
      <PeriodChoice saving={describeSaving(plans)} />
      <div className="group-has-[[value=year]:checked]/offers:hidden">
        <Offers plans={plans} period="month" />
      </div>
      <div className="hidden group-has-[[value=year]:checked]/offers:block">
        <Offers plans={plans} period="year" />
      </div>
    </div>
  )
}

function Offers({ plans, period }: { plans: readonly PlanOffer[]; period: BillingPeriod }) {
  return (
    <PlanCardList
      plans={plans}
      period={period}
      renderAction={({ name }) => (
        <Button asChild>
          <a href={withBasePath('/register')} aria-label={`Start free trial, ${name}`}>
            Start free trial
          </a>
        </Button>
      )}
    />
  )
}
