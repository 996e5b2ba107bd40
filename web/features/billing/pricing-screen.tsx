import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PlanCards } from './plan-cards.tsx'
import { plansQuery } from './plans-query.ts'
import { TestPaymentsNote } from './test-payments-note.tsx'

const questions: readonly (readonly [question: string, answer: string])[] = [
  [
    'What does the trial include?',
    'Every feature, without limits, for 14 days. It needs no card, and it ends by itself.',
  ],
  [
    'What happens after the trial?',
    'Your team can still read and export all feedback received so far. New feedback is stored and locked until you choose a plan: nothing gets lost.',
  ],
  [
    'What happens over the limit of a plan?',
    'Feedback is still accepted, stored and locked. We write to you at 80, 90 and 100 %. A larger plan unlocks it within seconds.',
  ],
  [
    'Who counts as a member?',
    'Everyone who works with feedback, and open invitations. Viewers are free and unlimited on every plan.',
  ],
  [
    'Can I change or cancel at any time?',
    'Yes. A larger plan starts at once, and you pay the difference. A smaller one credits what you have paid. A cancelled plan stays until the end of the paid period.',
  ],
  [
    'Can I host Earshot myself?',
    'Yes. The whole product is open source. Your own instance has no trial, no limits and every feature.',
  ],
]

/** What plans cost and what they include, for anyone. */
export function PricingScreen() {
  const { data: plans, error, refetch } = useQuery(plansQuery)
  const isFree = plans?.length === 0
  return (
    <>
      <div className="flex max-w-2xl flex-col gap-3">
        <h1 className="font-semibold text-4xl tracking-tight">Pricing</h1>
        <p className="text-lg text-muted">
          {isFree
            ? 'This is a self-hosted instance: no trial, no limits, every feature, at no charge.'
            : 'Every plan has every feature. Plans differ in how many projects, members and feedback items they include.'}
        </p>
      </div>
      {isFree && (
        <Button asChild size="lg" className="self-start">
          <Link to="/register">Create your account</Link>
        </Button>
      )}
      {plans && !isFree && (
        <div className="flex flex-col gap-6">
          <PlanCards
            plans={plans}
            renderAction={() => (
              <Button asChild>
                <Link to="/register">Start free trial</Link>
              </Button>
            )}
          />
          <p className="text-base text-muted">
            14 days with every feature, without a card. Prices are in US dollars, before taxes.
          </p>
          <TestPaymentsNote />
        </div>
      )}
      {!plans && error && <LoadFailure title="Couldn’t load the plans" error={error} onRetry={() => void refetch()} />}
      {!plans && !error && (
        <div className="grid gap-4 md:grid-cols-3">
          {['first', 'second', 'third'].map((name) => (
            <Skeleton key={name} className="h-72" />
          ))}
        </div>
      )}
      {!isFree && (
        <section className="flex flex-col gap-6">
          <h2 className="font-semibold text-2xl">Questions</h2>
          <dl className="grid gap-x-10 gap-y-7 md:grid-cols-2">
            {questions.map(([question, answer]) => (
              <div key={question} className="flex flex-col gap-1 text-base">
                <dt className="font-medium">{question}</dt>
                <dd className="text-muted">{answer}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}
