import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { v7 as uuidV7 } from 'uuid'
import { type CouponDuration, createCoupon } from '#contract/coupons.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { dayIn, endOfDay } from '../day-end.ts'
import { FormEnd } from '../form-end.tsx'
import { parseDollars } from '../format-money.ts'
import { showFieldErrors } from '../show-field-errors.ts'
import { couponsQuery } from './coupons-query.ts'

/** As typed. Empty: not limited. */
interface CouponDraft {
  code: string
  kind: 'percent' | 'amount'
  value: string
  duration: CouponDuration
  months: string
  limit: string
  expires: string
}

const toWhole = (text: string) => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : undefined)

/** Creates a coupon at Stripe. */
export function NewCouponDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  // One for the open dialog: trying again after a lost answer makes no second coupon.
  const [id] = useState(() => uuidV7())
  const { register, handleSubmit, setError, watch, formState } = useForm<CouponDraft>({
    defaultValues: { code: '', kind: 'percent', value: '', duration: 'once', months: '3', limit: '', expires: '' },
  })
  const creating = useMutation({
    mutationFn: ({ code, kind, value, duration, months, limit, expires }: CouponDraft) =>
      call(createCoupon, {
        body: {
          id,
          code: code.trim(),
          percentOff: kind === 'percent' ? Number(value.replace(',', '.')) : null,
          amountOffCents: kind === 'amount' ? (parseDollars(value) ?? null) : null,
          duration,
          months: duration === 'repeating' ? (toWhole(months) ?? null) : null,
          maxRedemptions: toWhole(limit) ?? null,
          expiresAt: expires === '' ? null : endOfDay(expires),
        },
      }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Coupon created' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: couponsQuery.queryKey })
    },
    onError: (error) =>
      showFieldErrors(error, setError, {
        code: 'code',
        percentOff: 'value',
        amountOffCents: 'value',
        months: 'months',
        maxRedemptions: 'limit',
        expiresAt: 'expires',
      }),
  })
  const [kind, duration] = watch(['kind', 'duration'])
  const checkValue = (text: string) =>
    kind === 'percent'
      ? (/^\d{1,3}([.,]\d{1,2})?$/.test(text.trim()) && isPercent(text)) || 'Enter a percentage from 0.01 to 100.'
      : (parseDollars(text) ?? 0) > 0 || 'Enter an amount, for example 5.00.'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New coupon">
      <form noValidate onSubmit={handleSubmit((draft) => creating.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Code" hint="Letters, digits and dashes." error={formState.errors.code?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('code', {
                validate: (code) =>
                  /^[A-Za-z0-9-]{3,40}$/.test(code.trim()) || 'Enter 3 to 40 letters, digits or dashes.',
              })}
              autoComplete="off"
              autoCapitalize="characters"
              autoFocus
              maxLength={40}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Discount">
            {(control) => (
              <Select {...control} {...register('kind')}>
                <option value="percent">Percentage</option>
                <option value="amount">Amount</option>
              </Select>
            )}
          </Field>
          <Field label={kind === 'percent' ? 'Percent off' : 'US dollars off'} error={formState.errors.value?.message}>
            {(control) => (
              <Input
                {...control}
                {...register('value', { validate: checkValue })}
                inputMode="decimal"
                autoComplete="off"
              />
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
            <Field label="Months" error={formState.errors.months?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...register('months', {
                    validate: (text) => {
                      const months = toWhole(text) ?? 0
                      return (months >= 1 && months <= 36) || 'Enter 1 to 36 months.'
                    },
                  })}
                  inputMode="numeric"
                  autoComplete="off"
                />
              )}
            </Field>
          )}
          <Field label="Limit" aside="optional" hint="Redemptions in all." error={formState.errors.limit?.message}>
            {(control) => (
              <Input
                {...control}
                {...register('limit', {
                  validate: (text) => text.trim() === '' || (toWhole(text) ?? 0) > 0 || 'Enter a whole number.',
                })}
                inputMode="numeric"
                autoComplete="off"
              />
            )}
          </Field>
          <Field
            label="Expires"
            aside="optional"
            hint="Last day to redeem it."
            error={formState.errors.expires?.message}
          >
            {(control) => <Input {...control} {...register('expires')} type="date" min={dayIn(0)} />}
          </Field>
        </div>
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

function isPercent(text: string): boolean {
  const percent = Number(text.trim().replace(',', '.'))
  return percent > 0 && percent <= 100
}
