import { useForm } from 'react-hook-form'
import type { BillingInterval } from '#contract/billing.ts'
import { changeSubscriberPlan, type SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { PlanField } from './plan-field.tsx'
import { ReasonField } from './reason-field.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface PlanDraft {
  planId: string
  interval: BillingInterval
  charge: 'now' | 'none'
  reason: string
}

/** Changes the plan of a paid subscription at Stripe. */
export function ChangePlanDialog({ billing, onClose }: { billing: SubscriberBilling; onClose: () => void }) {
  const organizationId = billing.organization.id
  const { subscription } = billing
  const { register, handleSubmit, setError, formState } = useForm<PlanDraft>({
    defaultValues: {
      planId: subscription?.plan.id ?? '',
      interval: subscription?.interval ?? 'month',
      charge: 'now',
      reason: '',
    },
  })
  const changing = useBillingAct({
    organizationId,
    act: (body: PlanDraft) => call(changeSubscriberPlan, { params: { organizationId }, body }),
    done: 'Plan changed',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { planId: 'planId', reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Change plan"
      description="The subscription at Stripe changes at once. A difference that can’t be paid changes nothing."
    >
      <form noValidate onSubmit={handleSubmit((draft) => changing.mutate(draft))} className="flex flex-col gap-4">
        <PlanField
          field={register('planId', { required: 'Select a plan.' })}
          error={formState.errors.planId?.message}
        />
        <Field label="Paid">
          {(control) => (
            <Select {...control} {...register('interval')}>
              <option value="month">Every month</option>
              <option value="year">Every year</option>
            </Select>
          )}
        </Field>
        <Field label="Difference for the paid period">
          {(control) => (
            <Select {...control} {...register('charge')}>
              <option value="now">Charge or credit it now</option>
              <option value="none">Don’t charge or credit it</option>
            </Select>
          )}
        </Field>
        <ReasonField register={register} error={formState.errors.reason?.message} />
        <FormEnd
          action="Change plan"
          error={formState.errors.root?.message}
          isPending={changing.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
