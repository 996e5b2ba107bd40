import { useForm } from 'react-hook-form'
import { grantPlan, type SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { dayIn, endOfDay } from '../day-end.ts'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { PlanField } from './plan-field.tsx'
import { ReasonField } from './reason-field.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface GrantDraft {
  planId: string
  /** A day; empty: without end. */
  until: string
  reason: string
}

/** Gives a plan without payment. */
export function GivePlanDialog({ billing, onClose }: { billing: SubscriberBilling; onClose: () => void }) {
  const organizationId = billing.organization.id
  const { register, handleSubmit, setError, formState } = useForm<GrantDraft>({
    defaultValues: { planId: billing.grantedPlan?.plan.id ?? '', until: '', reason: '' },
  })
  const giving = useBillingAct({
    organizationId,
    act: ({ planId, until, reason }: GrantDraft) =>
      call(grantPlan, {
        params: { organizationId },
        body: { planId, endsAt: until === '' ? null : endOfDay(until), reason },
      }),
    done: 'Plan given',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { planId: 'planId', endsAt: 'until', reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Give plan"
      description={
        billing.subscription
          ? 'It applies when the paid subscription ends.'
          : 'It applies at once and costs the organisation nothing.'
      }
    >
      <form noValidate onSubmit={handleSubmit((draft) => giving.mutate(draft))} className="flex flex-col gap-4">
        <PlanField
          field={register('planId', { required: 'Select a plan.' })}
          error={formState.errors.planId?.message}
        />
        <Field
          label="Until"
          aside="optional"
          hint="Without a date, it stays until you revoke it."
          error={formState.errors.until?.message}
        >
          {(control) => <Input {...control} {...register('until')} type="date" min={dayIn(1)} />}
        </Field>
        <ReasonField register={register} error={formState.errors.reason?.message} />
        <FormEnd
          action="Give plan"
          error={formState.errors.root?.message}
          isPending={giving.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
