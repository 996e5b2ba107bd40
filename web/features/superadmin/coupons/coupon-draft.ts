import type { UseFormSetError } from 'react-hook-form'
import type { CouponDuration, NewCoupon } from '#contract/coupons.ts'
import { endOfDay } from '../day-end.ts'
import { parseDollars } from '../format-money.ts'
import { showFieldErrors } from '../show-field-errors.ts'

/** A coupon as it is typed. Limit and expiry: empty is none. */
export interface CouponDraft {
  code: string
  kind: 'percent' | 'amount'
  value: string
  duration: CouponDuration
  months: string
  limit: string
  expires: string
}

export const emptyCoupon: CouponDraft = {
  code: '',
  kind: 'percent',
  value: '',
  duration: 'once',
  months: '3',
  limit: '',
  expires: '',
}

/** @param draft whose fields were checked */
export function readCouponDraft({
  code,
  kind,
  value,
  duration,
  months,
  limit,
  expires,
}: CouponDraft): Omit<NewCoupon, 'id'> {
  return {
    code: code.trim(),
    percentOff: kind === 'percent' ? readPercent(value) : null,
    amountOffCents: kind === 'amount' ? (parseDollars(value) ?? null) : null,
    duration,
    months: duration === 'repeating' ? (readWhole(months) ?? null) : null,
    maxRedemptions: readWhole(limit) ?? null,
    expiresAt: expires === '' ? null : endOfDay(expires),
  }
}

export const checkCode = (code: string) =>
  /^[A-Za-z0-9-]{3,40}$/.test(code.trim()) || 'Enter 3 to 40 letters, digits or dashes.'

export function checkValue(value: string, { kind }: CouponDraft): true | string {
  if (kind === 'amount') return (parseDollars(value) ?? 0) > 0 || 'Enter an amount, for example 5.00.'
  const percent = /^\d{1,3}([.,]\d{1,2})?$/.test(value.trim()) ? readPercent(value) : 0
  return (percent > 0 && percent <= 100) || 'Enter a percentage from 0.01 to 100.'
}

export function checkMonths(text: string): true | string {
  const months = readWhole(text) ?? 0
  return (months >= 1 && months <= 36) || 'Enter 1 to 36 months.'
}

export const checkLimit = (text: string) => text.trim() === '' || (readWhole(text) ?? 0) > 0 || 'Enter a whole number.'

/** Shows at the fields what the server refused. */
export function showCouponErrors(error: Error, setError: UseFormSetError<CouponDraft>): void {
  showFieldErrors(error, setError, {
    code: 'code',
    percentOff: 'value',
    amountOffCents: 'value',
    months: 'months',
    maxRedemptions: 'limit',
    expiresAt: 'expires',
  })
}

const readWhole = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined)
const readPercent = (text: string) => Number(text.trim().replace(',', '.'))
