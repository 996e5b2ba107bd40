import { useQuery } from '@tanstack/react-query'
import { formatDay } from '#web/lib/relative-time.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BillingFrame } from './billing-frame.tsx'
import { LeaveButton } from './leave-button.tsx'
import { PlanCards } from './plan-cards.tsx'
import type { PlanStanding } from './plan-standing.ts'
import { plansQuery } from './plans-query.ts'

/** The plans side by side. They can't be bought here yet; the screen names whom to contact. */
export function PlanSelectionScreen({ standing }: { standing: PlanStanding }) {
  const { data: plans, error, refetch } = useQuery(plansQuery)
  const isFree = standing.kind === 'not_needed' || plans?.length === 0
  const lead = isFree ? describeStanding({ kind: 'not_needed' }) : describeStanding(standing)
  return (
    <BillingFrame isWide title={isFree ? 'No plan needed' : 'Plans'} lead={<p>{lead}</p>}>
      {!isFree && plans && <PlanCards plans={plans} />}
      {!isFree && !plans && error && (
        <LoadFailure title="Couldn’t load the plans" error={error} onRetry={() => void refetch()} />
      )}
      {!isFree && !plans && !error && <PlansSkeleton />}
      {!isFree && (
        <div className="flex max-w-2xl flex-col gap-1 rounded-lg border border-border bg-surface p-5 text-base shadow-sm">
          <p className="font-medium">How to get a plan</p>
          <p className="text-muted">
            You can't buy plans on this page yet: billing comes with a later version. Until then, please contact the
            administrator of this instance. Over a plan's limit, feedback is stored and locked: nothing is turned away.
          </p>
        </div>
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

function PlansSkeleton() {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {['first', 'second', 'third'].map((name) => (
        <Skeleton key={name} className="h-64" />
      ))}
    </div>
  )
}
