import type { PlanOffer } from '#contract/plans.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { Button } from '#web/ui/button.tsx'
import { PlanComparison } from './plan-comparison.tsx'
import { PlanOffers } from './plan-offers.tsx'
import { PricingAnswers } from './pricing-answers.tsx'
import { TestPaymentsNote } from './test-payments-note.tsx'

/** What plans cost and what they include, for anyone. */
export function PricingScreen({ plans }: { plans: readonly PlanOffer[] }) {
  if (plans.length === 0) return <FreeInstance />
  return (
    <>
      <div className="flex flex-col gap-10">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="font-semibold text-4xl tracking-tight">Pricing</h1>
          <p className="text-lg text-muted">
            Every plan has every feature. Plans differ in how many projects, members and feedback items they include.
          </p>
        </div>
        <TestPaymentsNote />
        <PlanOffers plans={plans} />
        <p className="-mt-4 text-base text-muted">
          The trial has every feature for 14 days, without a card. Prices are in US dollars, before taxes.
        </p>
      </div>
      <PlanComparison plans={plans} />
      <PricingAnswers />
    </>
  )
}

function FreeInstance() {
  return (
    <div className="flex max-w-2xl flex-col items-start gap-6">
      <h1 className="font-semibold text-4xl tracking-tight">Pricing</h1>
      <p className="text-lg text-muted">
        This instance is self-hosted and free: no trial, no limits, every feature. There is nothing to pay.
      </p>
      <Button asChild size="lg">
        <a href={withBasePath('/register')}>Create your account</a>
      </Button>
    </div>
  )
}
