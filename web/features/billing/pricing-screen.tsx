import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PlanCards } from './plan-cards.tsx'
import { PlanComparison } from './plan-comparison.tsx'
import { plansQuery } from './plans-query.ts'
import { PricingAnswers } from './pricing-answers.tsx'
import { TestPaymentsNote } from './test-payments-note.tsx'

/** What plans cost and what they include, for anyone. */
export function PricingScreen() {
  const { data: plans, error, refetch } = useQuery(plansQuery)
  if (plans?.length === 0) return <FreeInstance />
  return (
    <>
      <div className="flex flex-col gap-10">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="font-semibold text-4xl tracking-tight">Pricing</h1>
          <p className="text-lg text-muted">
            Every plan has every feature. Plans differ in how many projects, members and feedback items they include.
          </p>
        </div>
        {plans && (
          <>
            <TestPaymentsNote />
            <PlanCards
              plans={plans}
              renderAction={({ name }) => (
                <Button asChild>
                  <Link to="/register" aria-label={`Start free trial, ${name}`}>
                    Start free trial
                  </Link>
                </Button>
              )}
            />
            <p className="-mt-4 text-base text-muted">
              The trial has every feature for 14 days, without a card. Prices are in US dollars, before taxes.
            </p>
          </>
        )}
        {!plans && error && (
          <LoadFailure title="Couldn’t load the plans" error={error} onRetry={() => void refetch()} />
        )}
        {!plans && !error && <PricesSkeleton />}
      </div>
      {plans && <PlanComparison plans={plans} />}
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
        <Link to="/register">Create your account</Link>
      </Button>
    </div>
  )
}

function PricesSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton className="h-9 w-44" />
      <div className="grid gap-4 md:grid-cols-3">
        {['first', 'second', 'third'].map((name) => (
          <Skeleton key={name} className="h-80" />
        ))}
      </div>
    </div>
  )
}
