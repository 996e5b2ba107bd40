import { useForm } from 'react-hook-form'
import { cancelSubscriber, type SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { ReasonField } from './reason-field.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface CancelDraft {
  at: 'period_end' | 'now'
  reason: string
}

/** Cancels a subscription at Stripe. */
export function CancelDialog({ billing, onClose }: { billing: SubscriberBilling; onClose: () => void }) {
  const organizationId = billing.organization.id
  const { register, handleSubmit, setError, formState } = useForm<CancelDraft>({
    defaultValues: { at: 'period_end', reason: '' },
  })
  const cancelling = useBillingAct({
    organizationId,
    act: (body: CancelDraft) => call(cancelSubscriber, { params: { organizationId }, body }),
    done: 'Subscription cancelled',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Cancel subscription"
      description="Nothing is refunded. Refund payments separately."
    >
      <form noValidate onSubmit={handleSubmit((draft) => cancelling.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Ends">
          {(control) => (
            <Select {...control} {...register('at')}>
              <option value="period_end">With the paid period</option>
              <option value="now">Now</option>
            </Select>
          )}
        </Field>
        <ReasonField register={register} error={formState.errors.reason?.message} />
        <FormEnd
          action="Cancel subscription"
          isDangerous
          error={formState.errors.root?.message}
          isPending={cancelling.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
