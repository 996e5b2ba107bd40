import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldErrors, type UseFormRegister, useForm } from 'react-hook-form'
import { v7 as uuidV7 } from 'uuid'
import { createCoupon } from '#contract/coupons.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { dayIn } from '../day-end.ts'
import { FormEnd } from '../form-end.tsx'
import {
  type CouponDraft,
  checkCode,
  checkLimit,
  checkMonths,
  checkValue,
  emptyCoupon,
  readCouponDraft,
  showCouponErrors,
} from './coupon-draft.ts'
import { couponsKey } from './coupons-query.ts'

/** Creates a coupon at Stripe. */
export function NewCouponDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  // One for the open dialog: trying again after a lost answer makes no second coupon.
  const [id] = useState(() => uuidV7())
  const { register, handleSubmit, setError, watch, formState } = useForm<CouponDraft>({
    defaultValues: emptyCoupon,
  })
  const creating = useMutation({
    mutationFn: (draft: CouponDraft) => call(createCoupon, { body: { id, ...readCouponDraft(draft) } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Coupon created' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: couponsKey })
    },
    onError: (error) => showCouponErrors(error, setError),
  })
  const [kind, duration] = watch(['kind', 'duration'])
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New coupon">
      <form noValidate onSubmit={handleSubmit((draft) => creating.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Code" hint="Letters, digits and dashes." error={formState.errors.code?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('code', { validate: checkCode })}
              autoComplete="off"
              autoCapitalize="characters"
              autoFocus
              maxLength={40}
            />
          )}
        </Field>
        <DiscountFields register={register} errors={formState.errors} kind={kind} duration={duration} />
        <FormEnd
          action="Create coupon"
          error={formState.errors.root?.message}
          isPending={creating.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

interface DiscountFieldsProps {
  register: UseFormRegister<CouponDraft>
  errors: FieldErrors<CouponDraft>
  kind: CouponDraft['kind']
  duration: CouponDraft['duration']
}

/** How much is taken off, for how long, and how often the coupon can be redeemed. */
function DiscountFields({ register, errors, kind, duration }: DiscountFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Discount">
        {(control) => (
          <Select {...control} {...register('kind')}>
            <option value="percent">Percentage</option>
            <option value="amount">Amount</option>
          </Select>
        )}
      </Field>
      <Field label={kind === 'percent' ? 'Percent off' : 'US dollars off'} error={errors.value?.message}>
        {(control) => (
          <Input {...control} {...register('value', { validate: checkValue })} inputMode="decimal" autoComplete="off" />
        )}
      </Field>
      <Field label="Applies to">
        {(control) => (
          <Select {...control} {...register('duration')}>
            <option value="once">One invoice</option>
            <option value="repeating">Several months</option>
            <option value="forever">Every invoice</option>
          </Select>
        )}
      </Field>
      {duration === 'repeating' && (
        <Field label="Months" error={errors.months?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('months', { validate: checkMonths })}
              inputMode="numeric"
              autoComplete="off"
            />
          )}
        </Field>
      )}
      <Field label="Limit" aside="optional" hint="Redemptions in all." error={errors.limit?.message}>
        {(control) => (
          <Input {...control} {...register('limit', { validate: checkLimit })} inputMode="numeric" autoComplete="off" />
        )}
      </Field>
      <Field label="Expires" aside="optional" hint="Last day to redeem it." error={errors.expires?.message}>
        {(control) => <Input {...control} {...register('expires')} type="date" min={dayIn(0)} />}
      </Field>
    </div>
  )
}
