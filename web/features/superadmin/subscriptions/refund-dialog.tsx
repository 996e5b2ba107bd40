import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { v7 as uuidV7 } from 'uuid'
import { refundPayment, type SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { captureRefund } from '#web/lib/analytics.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormEnd } from '../form-end.tsx'
import { formatCents, parseDollars } from '../format-money.ts'
import { showFieldErrors } from '../show-field-errors.ts'
import type { Payment } from './payments-card.tsx'
import { ReasonField } from './reason-field.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface RefundDraft {
  /** In dollars, as typed. */
  amount: string
  reason: string
}

/** Refunds a payment, or a part of it. */
export function RefundDialog({
  billing,
  payment,
  onClose,
}: {
  billing: SubscriberBilling
  payment: Payment
  onClose: () => void
}) {
  const organizationId = billing.organization.id
  const left = payment.paidCents - payment.refundedCents
  // One for the open dialog: trying again after a lost answer refunds nothing twice.
  const [id] = useState(() => uuidV7())
  const { register, handleSubmit, setError, formState } = useForm<RefundDraft>({
    defaultValues: { amount: (left / 100).toFixed(2), reason: '' },
  })
  const refunding = useBillingAct({
    organizationId,
    act: ({ amount, reason }: RefundDraft) =>
      call(refundPayment, {
        params: { organizationId },
        body: { id, paymentId: payment.id, cents: parseDollars(amount) ?? null, reason },
      }),
    done: 'Payment refunded',
    onDone: (now) => {
      const refundedCents =
        (now.payments.find(({ id: each }) => each === payment.id)?.refundedCents ?? 0) - payment.refundedCents
      if (refundedCents > 0) {
        captureRefund({
          transactionId: payment.id,
          plan: billing.subscription?.plan.name ?? null,
          amount: refundedCents / 100,
        })
      }
      onClose()
    },
    onError: (error) => showFieldErrors(error, setError, { cents: 'amount', paymentId: 'amount', reason: 'reason' }),
  })
  const check = (typed: string) => {
    const cents = parseDollars(typed)
    if (cents === undefined || cents === 0) return 'Enter an amount, for example 19.00.'
    return cents <= left || `At most ${formatCents(left)} can be refunded.`
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Refund payment"
      description="The money goes back the way it was paid. The subscription stays."
    >
      <form noValidate onSubmit={handleSubmit((draft) => refunding.mutate(draft))} className="flex flex-col gap-4">
        <Field
          label="Amount in US dollars"
          hint={`Up to ${formatCents(left)}`}
          error={formState.errors.amount?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...register('amount', { validate: check })}
              inputMode="decimal"
              autoComplete="off"
              autoFocus
            />
          )}
        </Field>
        <ReasonField register={register} error={formState.errors.reason?.message} />
        <FormEnd
          action="Refund payment"
          isDangerous
          error={formState.errors.root?.message}
          isPending={refunding.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
