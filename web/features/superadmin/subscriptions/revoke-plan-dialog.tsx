import { useForm } from 'react-hook-form'
import { revokeGrantedPlan, type SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { ReasonField } from './reason-field.tsx'
import { useBillingAct } from './use-billing-act.ts'

/** Revokes a plan that was given without payment. */
export function RevokePlanDialog({ billing, onClose }: { billing: SubscriberBilling; onClose: () => void }) {
  const organizationId = billing.organization.id
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: '' } })
  const revoking = useBillingAct({
    organizationId,
    act: ({ reason }: { reason: string }) => call(revokeGrantedPlan, { params: { organizationId }, body: { reason } }),
    done: 'Plan revoked',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Revoke plan"
      description={
        billing.subscription
          ? 'The paid subscription stays.'
          : 'New feedback is locked until the organisation has a plan. A trial that was interrupted continues.'
      }
    >
      <form noValidate onSubmit={handleSubmit((draft) => revoking.mutate(draft))} className="flex flex-col gap-4">
        <ReasonField register={register} error={formState.errors.reason?.message} />
        <FormEnd
          action="Revoke plan"
          isDangerous
          error={formState.errors.root?.message}
          isPending={revoking.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
