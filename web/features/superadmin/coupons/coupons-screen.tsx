import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, TicketPercent } from 'lucide-react'
import { useState } from 'react'
import { type Coupon, deactivateCoupon } from '#contract/coupons.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { CouponRow } from './coupon-row.tsx'
import { couponsQuery } from './coupons-query.ts'
import { NewCouponDialog } from './new-coupon-dialog.tsx'

/** Coupons and how often each was redeemed. */
export function CouponsScreen() {
  const list = useInfiniteQuery(couponsQuery)
  const coupons = list.data?.pages.flatMap(({ items }) => items)
  const [isNew, setNew] = useState(false)
  const [deactivated, setDeactivated] = useState<Coupon>()
  const add = (
    <Button onClick={() => setNew(true)}>
      <Plus aria-hidden="true" />
      New coupon
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-base text-muted">Customers enter the code at checkout. Stripe keeps coupons.</p>
        {coupons && coupons.length > 0 && add}
      </div>
      {coupons === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load coupons" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading coupons" />
        )
      ) : coupons.length === 0 ? (
        <EmptyState icon={<TicketPercent />} title="No coupons yet" action={add}>
          A coupon lowers the price for customers who enter its code.
        </EmptyState>
      ) : (
        <>
          <ul
            aria-label="Coupons"
            className="mt-4 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {coupons.map((coupon) => (
              <li key={coupon.id}>
                <CouponRow coupon={coupon} onDeactivate={() => setDeactivated(coupon)} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
      {isNew && <NewCouponDialog onClose={() => setNew(false)} />}
      {deactivated && <DeactivateDialog coupon={deactivated} onClose={() => setDeactivated(undefined)} />}
    </>
  )
}

function DeactivateDialog({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  const queryClient = useQueryClient()
  const deactivating = useMutation({
    mutationFn: () => call(deactivateCoupon, { params: { couponId: coupon.id } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Coupon deactivated' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: couponsQuery.queryKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Deactivate ${coupon.code}?`}
      action="Deactivate coupon"
      isDangerous
      isPending={deactivating.isPending}
      error={deactivating.error}
      onConfirm={() => deactivating.mutate()}
    >
      <p>No one can redeem it any more. Subscriptions that have it keep their discount.</p>
    </ConfirmDialog>
  )
}
