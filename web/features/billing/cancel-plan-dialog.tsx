import { useId, useState } from 'react'
import { type BilledSubscription, type CancelReason, cancelReasons, cancelSubscription } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useBillingAct } from './use-billing-act.ts'

const reasons: Readonly<Record<CancelReason, string>> = {
  too_expensive: 'It is too expensive',
  missing_features: 'A feature is missing',
  switched_service: 'I use another service',
  unused: 'I don’t use it enough',
  customer_service: 'I was not happy with the support',
  too_complex: 'It is too complex',
  low_quality: 'It did not work well',
  other: 'Another reason',
}

interface CancelPlanDialogProps {
  organizationId: string
  subscription: BilledSubscription
  onClose: () => void
}

/** Says what a cancellation means, asks why, and cancels. */
export function CancelPlanDialog({ organizationId, subscription, onClose }: CancelPlanDialogProps) {
  const name = useId()
  const [reason, setReason] = useState<CancelReason>()
  const [comment, setComment] = useState('')
  const until = subscription.periodEnd === null ? 'the end of the paid period' : formatDay(subscription.periodEnd)
  const cancelling = useBillingAct(
    organizationId,
    (chosen: CancelReason) =>
      call(cancelSubscription, { params: { organizationId }, body: { reason: chosen, comment: comment.trim() } }),
    () => {
      toast({ title: 'Plan cancelled', description: `You have it until ${until}.` })
      onClose()
    },
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Cancel ${subscription.plan.name}?`}
      description={`You keep the plan until ${until}. It is not renewed, and you can change your mind until then. After that, new feedback is stored and locked. Nothing is deleted.`}
    >
      <form
        method="post"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason) cancelling.mutate(reason)
        }}
      >
        <fieldset className="flex flex-col gap-1 text-base">
          <legend className="mb-1 font-medium">Why are you cancelling?</legend>
          {cancelReasons.map((value) => (
            <label key={value} className="flex min-h-8 cursor-pointer items-center gap-2.5 pointer-coarse:min-h-10">
              <input
                type="radio"
                name={name}
                value={value}
                required
                checked={reason === value}
                onChange={() => setReason(value)}
                className="size-4 accent-accent"
              />
              {reasons[value]}
            </label>
          ))}
        </fieldset>
        <Field label="What could we do better?" aside="Optional">
          {(control) => (
            <Textarea
              {...control}
              dir="auto"
              maxLength={1000}
              value={comment}
              onChange={(event) => setComment(event.target.value)}
            />
          )}
        </Field>
        {cancelling.error && (
          <p role="alert" className="text-base text-danger-text">
            {cancelling.error.message}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Keep plan
          </Button>
          <Button type="submit" variant="danger" disabled={!reason} loading={cancelling.isPending}>
            Cancel plan
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
