import { useForm } from 'react-hook-form'
import { extendTrial, type SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { dayIn, endOfDay } from '../day-end.ts'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { ReasonField } from './reason-field.tsx'
import { useBillingAct } from './use-billing-act.ts'

const suggestedDays = 30

/** Moves the end of a trial, or begins it again. */
export function ExtendTrialDialog({ billing, onClose }: { billing: SubscriberBilling; onClose: () => void }) {
  const organizationId = billing.organization.id
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { until: dayIn(suggestedDays), reason: '' },
  })
  const extending = useBillingAct({
    organizationId,
    act: ({ until, reason }: { until: string; reason: string }) =>
      call(extendTrial, { params: { organizationId }, body: { endsAt: endOfDay(until), reason } }),
    done: 'Trial extended',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { endsAt: 'until', reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Extend trial"
      description="Until then, the organisation has every feature without limits."
    >
      <form noValidate onSubmit={handleSubmit((draft) => extending.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Last day" error={formState.errors.until?.message}>
          {(control) => (
            <Input {...control} {...register('until', { required: 'Select a day.' })} type="date" min={dayIn(0)} />
          )}
        </Field>
        <ReasonField register={register} error={formState.errors.reason?.message} />
        <FormEnd
          action="Extend trial"
          error={formState.errors.root?.message}
          isPending={extending.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
