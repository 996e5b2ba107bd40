import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Organization } from '#web/lib/organization.tsx'
import { formatDay } from '#web/lib/relative-time.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BillingFrame } from './billing-frame.tsx'
import { billingQuery } from './billing-query.ts'
import { LeaveButton } from './leave-button.tsx'
import { PlanAction } from './plan-action.tsx'
import { PlanCards } from './plan-cards.tsx'
import { PlanList } from './plan-list.tsx'
import type { PlanStanding } from './plan-standing.ts'
import { plansQuery } from './plans-query.ts'
import { PromotionNote } from './promotion-note.tsx'
import { TestPaymentsNote } from './test-payments-note.tsx'

interface PlanSelectionScreenProps {
  standing: PlanStanding
  /** Undefined: no one is signed in. */
  organization: Organization | undefined
  /** One plan a line, and nothing else. */
  isSimple?: boolean
}

/** Of a promotion code, as the server takes it. */
const longestCode = 100

/** The plans side by side, to choose one or to change to another. */
export function PlanSelectionScreen({ standing, organization, isSimple = false }: PlanSelectionScreenProps) {
  const { data: plans, error, refetch } = useQuery(plansQuery)
  const isOwner = organization?.role === 'owner'
  const billing = useQuery({ ...billingQuery(organization?.id ?? ''), enabled: isOwner })
  const [search, setSearch] = useSearchParams()
  const promotionCode = search.get('code')?.trim().slice(0, longestCode) || null
  const isFree = standing.kind === 'not_needed' || plans?.length === 0
  const lead = isFree ? describeStanding({ kind: 'not_needed' }) : describeStanding(standing)
  const subscription = billing.data?.subscription
  const List = isSimple ? PlanList : PlanCards
  return (
    <BillingFrame isWide={!isSimple} title={isFree ? 'No plan needed' : 'Plans'} lead={<p>{lead}</p>}>
      {!isFree && <TestPaymentsNote />}
      {!isFree && organization && !isOwner && (
        <p className="rounded-lg border border-border bg-surface p-5 text-base shadow-sm">
          Ask an owner of <bdi className="font-medium">{organization.name}</bdi> to choose a plan.
        </p>
      )}
      {!isFree && isOwner && !billing.data && billing.error && (
        <LoadFailure title="Couldn’t load your plan" error={billing.error} onRetry={() => void billing.refetch()} />
      )}
      {!isFree && isOwner && promotionCode !== null && subscription !== undefined && (
        <PromotionNote
          code={promotionCode}
          isSubscribed={subscription !== null}
          onRemove={() => setSearch({}, { replace: true, preventScrollReset: true })}
        />
      )}
      {!isFree && plans && (
        <List
          // The period that is paid is shown first, as soon as it is known.
          key={subscription?.interval}
          plans={plans}
          {...(subscription && { initialPeriod: subscription.interval })}
          renderAction={(plan, period) => (
            <PlanAction
              organization={organization}
              subscription={subscription}
              plan={plan}
              period={period}
              promotionCode={promotionCode}
            />
          )}
        />
      )}
      {!isFree && !plans && error && (
        <LoadFailure title="Couldn’t load the plans" error={error} onRetry={() => void refetch()} />
      )}
      {!isFree && !plans && !error && <PlansSkeleton />}
      {!isFree && (
        <p className="max-w-2xl text-base text-muted">
          Over a plan’s limit, feedback is stored and locked: nothing is turned away, and nothing is lost.
        </p>
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
      return 'Your organisation has a plan. You can change it at any time.'
    case 'on_trial':
      return `Your trial runs until ${formatDay(standing.endsAt)}, with every feature. With a plan, your team continues without a break.`
    case 'trial_over':
      return 'Your trial has ended. Choose a plan to unlock your feedback.'
    case 'plan_over':
      return 'Your plan has ended. Choose a plan to unlock your feedback.'
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
