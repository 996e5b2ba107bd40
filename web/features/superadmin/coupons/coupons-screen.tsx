import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, SearchX, TicketPercent } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  type Coupon,
  type CouponOrder,
  couponOrders,
  couponStates,
  deactivateCoupon,
  exportCoupons,
} from '#contract/coupons.ts'
import { call, send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { CouponRow, couponStateLabels } from './coupon-row.tsx'
import { type CouponSearch, couponsKey, couponsQuery, readCouponSearch, toCouponFilters } from './coupons-query.ts'
import { NewCouponDialog } from './new-coupon-dialog.tsx'

const orderLabels: Readonly<Record<CouponOrder, string>> = {
  latest: 'Latest first',
  oldest: 'Oldest first',
  redemptions: 'Most redeemed',
}

/** Coupons and how often each was redeemed. The filters stand in the address. */
export function CouponsScreen() {
  const [params, setParams] = useSearchParams()
  const search = readCouponSearch(params)
  const change = (next: CouponSearch) =>
    setParams({ ...toCouponFilters(next) }, { preventScrollReset: true, replace: true })
  const [isNew, setNew] = useState(false)
  const add = (
    <Button onClick={() => setNew(true)}>
      <Plus aria-hidden="true" />
      New coupon
    </Button>
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-base text-muted">Customers enter the code at checkout. Stripe keeps coupons.</p>
        {add}
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <CouponFilterBar search={search} onChange={change} />
        <CsvExport
          request={() => send(exportCoupons, { body: toCouponFilters(search) }, '*/*')}
          failure="Couldn’t export the coupons"
        />
      </div>
      <CouponList search={search} onClear={() => setParams({})} />
      {isNew && <NewCouponDialog onClose={() => setNew(false)} />}
    </>
  )
}

interface FilterProps {
  search: CouponSearch
  onChange: (search: CouponSearch) => void
}

function CouponFilterBar({ search, onChange }: FilterProps) {
  return (
    <search aria-label="Filters" className="contents">
      <SearchField
        label="Search coupons"
        placeholder="Code"
        value={search.search}
        onChange={(words) => onChange({ ...search, search: words })}
      />
      <Select
        aria-label="State"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.state}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, state: couponStates.find((each) => each === value) ?? '' })
        }
      >
        <option value="">All coupons</option>
        {couponStates.map((state) => (
          <option key={state} value={state}>
            {couponStateLabels[state].label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Order"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.order}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, order: couponOrders.find((each) => each === value) ?? 'latest' })
        }
      >
        {couponOrders.map((order) => (
          <option key={order} value={order}>
            {orderLabels[order]}
          </option>
        ))}
      </Select>
    </search>
  )
}

function CouponList({ search, onClear }: { search: CouponSearch; onClear: () => void }) {
  const list = useInfiniteQuery(couponsQuery(search))
  const coupons = list.data?.pages.flatMap(({ items }) => items)
  const [deactivated, setDeactivated] = useState<Coupon>()
  if (coupons === undefined) {
    return list.error ? (
      <LoadFailure title="Couldn’t load coupons" error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <ListSkeleton label="Loading coupons" />
    )
  }
  return (
    <>
      {coupons.length > 0 ? (
        <ul
          aria-label="Coupons"
          aria-busy={list.isPlaceholderData}
          className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
        >
          {coupons.map((coupon) => (
            <li key={coupon.id}>
              <CouponRow coupon={coupon} onDeactivate={() => setDeactivated(coupon)} />
            </li>
          ))}
        </ul>
      ) : search.search === '' && search.state === '' ? (
        <EmptyState icon={<TicketPercent />} title="No coupons yet">
          A coupon lowers the price for customers who enter its code.
        </EmptyState>
      ) : list.hasNextPage ? (
        // Stripe can't be asked for these alone.
        <p className="py-8 text-center text-base text-muted">No results among the latest coupons.</p>
      ) : (
        <EmptyState
          icon={<SearchX />}
          title="No results"
          action={
            <Button variant="secondary" onClick={onClear}>
              Clear filters
            </Button>
          }
        >
          No coupon matches these filters.
        </EmptyState>
      )}
      <MoreButton list={list} className="mt-4 self-center" />
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
      return queryClient.invalidateQueries({ queryKey: couponsKey })
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
