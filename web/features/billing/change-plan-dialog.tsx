import { useQuery } from '@tanstack/react-query'
import { type BilledSubscription, changeSubscribedPlan, type PlanPreview, previewPlan } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type BillingPeriod, formatPrice } from './describe-plan.ts'
import { PortalButton } from './portal-button.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface ChangePlanDialogProps {
  organizationId: string
  subscription: BilledSubscription
  plan: PlanOffer
  period: BillingPeriod
  onClose: () => void
}

/** Shows what a change of plan costs, and changes it. */
export function ChangePlanDialog({ organizationId, subscription, plan, period, onClose }: ChangePlanDialogProps) {
  const choice = { planId: plan.id, interval: period }
  const preview = useQuery({
    // Not among what live events outdate: a price is shown once, and paid as shown.
    queryKey: ['plan-preview', organizationId, choice],
    queryFn: ({ signal }) => call(previewPlan, { params: { organizationId }, body: choice, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // The server takes prices of the last hour.
    refetchInterval: 30 * 60_000,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })
  const isSamePlan = subscription.plan.id === plan.id
  const target = isSamePlan ? `${period}ly payment` : plan.name
  const changing = useBillingAct(
    organizationId,
    ({ prorationDate }: PlanPreview) =>
      call(changeSubscribedPlan, { params: { organizationId }, body: { ...choice, prorationDate } }),
    () => {
      toast({ title: isSamePlan ? `You now pay ${period}ly` : `Your plan is now ${plan.name}`, tone: 'success' })
      onClose()
    },
  )
  const error = changing.error ?? preview.error
  const isUnpaid = changing.error instanceof ApiError && changing.error.code === 'payment_failed'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Change to ${target}?`}>
      <div className="flex flex-col gap-5">
        {preview.data && <Costs preview={preview.data} />}
        {!preview.data && !preview.error && <Skeleton className="h-24" />}
        {subscription.cancelAt !== null && (
          <p className="text-base text-muted">You had cancelled your plan. With this change, it renews again.</p>
        )}
        {error && (
          <p role="alert" className="rounded-md bg-danger-soft px-3 py-2.5 text-base text-danger-text">
            {isUnpaid && 'The payment failed, and nothing was changed. '}
            {error.message}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          {isUnpaid && <PortalButton organizationId={organizationId}>Change payment method</PortalButton>}
          {preview.error ? (
            <Button loading={preview.isFetching} onClick={() => void preview.refetch()}>
              Try again
            </Button>
          ) : (
            <Button
              loading={changing.isPending}
              disabled={!preview.data}
              onClick={() => preview.data && changing.mutate(preview.data)}
            >
              {preview.data && preview.data.dueNowCents > 0
                ? `Pay ${formatPrice(preview.data.dueNowCents)} and change`
                : 'Change plan'}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Costs({ preview: { cents, interval, dueNowCents, creditCents, nextInvoice } }: { preview: PlanPreview }) {
  const lines = [
    ['New price', `${formatPrice(cents)} a ${interval}`],
    ['Charged now', formatPrice(dueNowCents)],
    ...(creditCents > 0 ? [['Credit for the time you have paid for', formatPrice(creditCents)]] : []),
    [`Next invoice, ${formatDay(nextInvoice.at)}`, formatPrice(nextInvoice.cents)],
  ]
  return (
    <dl className="flex flex-col gap-2 text-base">
      {lines.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-6">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
