import type { Coupon, CouponState } from '#contract/coupons.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { describeDiscount, describeUse } from './describe-coupon.ts'

export const couponStateLabels: Readonly<Record<CouponState, { label: string; tone: BadgeTone }>> = {
  active: { label: 'Active', tone: 'success' },
  deactivated: { label: 'Deactivated', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  used_up: { label: 'Used up', tone: 'warning' },
}

export function CouponRow({ coupon, onDeactivate }: { coupon: Coupon; onDeactivate: () => void }) {
  const { code, state, expiresAt } = coupon
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <code className="break-all font-medium">{code}</code>
          <Badge tone={couponStateLabels[state].tone}>{couponStateLabels[state].label}</Badge>
        </p>
        <p className="text-muted text-sm">{describeDiscount(coupon)}</p>
      </div>
      <div className="text-sm sm:text-right">
        <p>{describeUse(coupon)}</p>
        {expiresAt !== null && (
          <p className="text-muted">
            {state === 'expired' ? 'Expired' : 'Expires'} on {formatDay(expiresAt)}
          </p>
        )}
      </div>
      {state === 'active' && (
        <Button variant="secondary" size="sm" aria-label={`Deactivate ${code}`} onClick={onDeactivate}>
          Deactivate
        </Button>
      )}
    </div>
  )
}
