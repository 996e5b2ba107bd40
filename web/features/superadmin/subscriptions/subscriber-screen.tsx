import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { ExtendTrialDialog } from './extend-trial-dialog.tsx'
import { GivePlanDialog } from './give-plan-dialog.tsx'
import { type Payment, PaymentsCard } from './payments-card.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { RevokePlanDialog } from './revoke-plan-dialog.tsx'
import { subscriberQuery } from './subscribers-query.ts'
import { type BillingAct, SubscriptionCard } from './subscription-card.tsx'

/** The billing of one organisation, and what a superadmin can do about it. */
export function SubscriberScreen({ id: organizationId }: { id: string }) {
  const { data: billing, error, refetch } = useQuery(subscriberQuery(organizationId))
  return (
    <div className="flex w-full max-w-3xl flex-col gap-6">
      <BackLink to="/dashboard/superadmin/subscriptions">Subscriptions</BackLink>
      {billing ? (
        <Billing billing={billing} />
      ) : error ? (
        <LoadFailure title="Couldn’t load this subscription" error={error} onRetry={() => void refetch()} />
      ) : (
        <output className="flex flex-col gap-6">
          <span className="sr-only">Loading the subscription</span>
          <Skeleton className="h-8 w-60" />
          <Skeleton className="h-64" />
          <Skeleton className="h-40" />
        </output>
      )}
    </div>
  )
}

function Billing({ billing }: { billing: SubscriberBilling }) {
  const [open, setOpen] = useState<BillingAct>()
  const [refunded, setRefunded] = useState<Payment>()
  const close = () => setOpen(undefined)
  return (
    <>
      <div className="min-w-0">
        <h2 className="font-semibold text-xl [overflow-wrap:anywhere]">
          <bdi>{billing.organization.name}</bdi>
        </h2>
        <p className="text-base text-muted [overflow-wrap:anywhere]">{billing.owners.join(', ') || 'No owner'}</p>
      </div>
      <SubscriptionCard billing={billing} onAct={setOpen} />
      <PaymentsCard billing={billing} onRefund={setRefunded} />
      {open === 'give_plan' && <GivePlanDialog billing={billing} onClose={close} />}
      {open === 'revoke_plan' && <RevokePlanDialog billing={billing} onClose={close} />}
      {open === 'extend_trial' && <ExtendTrialDialog billing={billing} onClose={close} />}
      {open === 'change_plan' && <ChangePlanDialog billing={billing} onClose={close} />}
      {open === 'cancel' && <CancelDialog billing={billing} onClose={close} />}
      {refunded && <RefundDialog billing={billing} payment={refunded} onClose={() => setRefunded(undefined)} />}
    </>
  )
}
