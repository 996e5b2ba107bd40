import { useQuery } from '@tanstack/react-query'
import { changeSubscribedPlan, type PlanPreview, previewPlan } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type BillingPeriod, formatPrice } from './describe-plan.ts'
import { useBillingAct } from './use-billing-act.ts'

interface ChangePlanDialogProps {
  organizationId: string
  plan: PlanOffer
  period: BillingPeriod
  onClose: () => void
}

/** Shows what a change of plan costs, and changes it. */
export function ChangePlanDialog({ organizationId, plan, period, onClose }: ChangePlanDialogProps) {
  const choice = { planId: plan.id, interval: period }
  const preview = useQuery({
    queryKey: ['billing', organizationId, 'preview', choice],
    queryFn: ({ signal }) => call(previewPlan, { params: { organizationId }, body: choice, signal }),
    // A price is shown once, and paid as shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })
  const changing = useBillingAct(
    organizationId,
    ({ prorationDate }: PlanPreview) =>
      call(changeSubscribedPlan, { params: { organizationId }, body: { ...choice, prorationDate } }),
    () => {
      toast({ title: `Your plan is now ${plan.name}`, tone: 'success' })
      onClose()
    },
  )
  const error = changing.error ?? preview.error
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Change to ${plan.name}?`}>
      <div className="flex flex-col gap-5">
        {preview.data && <Costs preview={preview.data} />}
        {!preview.data && !preview.error && <Skeleton className="h-24" />}
        {error && (
          <p role="alert" className="text-base text-danger-text">
            {error.message}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
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
          <dd className="text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
