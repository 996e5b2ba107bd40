import { useMutation, useQuery } from '@tanstack/react-query'
import { createPortalSession } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { upcomingQuery } from './billing-query.ts'
import { describeMethod } from './describe-payment.ts'
import { formatPrice } from './describe-plan.ts'

/** The next invoice, how it is paid and whom it names. Without Stripe, the rest of the screen works. */
export function PaymentDetails({ organizationId }: { organizationId: string }) {
  const { data, error, refetch, isFetching } = useQuery(upcomingQuery(organizationId))
  const opening = useMutation({
    mutationFn: () => call(createPortalSession, { params: { organizationId } }),
    networkMode: 'always',
    onSuccess: ({ url }) => window.location.assign(url),
  })
  if (!data && error) {
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-4 p-5 text-base">
        <p className="text-muted">{error.message}</p>
        <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!data) return <Skeleton className="m-5 h-20" />
  const { nextInvoice, paymentMethod, customer } = data
  const lines = [
    ['Next invoice', nextInvoice ? `${formatPrice(nextInvoice.cents)} on ${formatDay(nextInvoice.at)}` : 'None'],
    ['Payment method', paymentMethod ? describeMethod(paymentMethod) : 'None'],
    ['Invoices name', customer.name ?? customer.email ?? 'No one yet'],
    ...(customer.taxIds.length > 0 ? [['Tax id', customer.taxIds.join(', ')]] : []),
  ]
  return (
    <>
      <dl className="flex flex-col gap-2 p-5 text-base">
        {lines.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-6">
            <dt className="text-muted">{name}</dt>
            <dd dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <SettingsBar>
        {opening.error && (
          <p role="alert" className="text-danger-text text-sm">
            {opening.error.message}
          </p>
        )}
        <Button variant="secondary" loading={opening.isPending || opening.isSuccess} onClick={() => opening.mutate()}>
          Change payment method, address or tax id
        </Button>
      </SettingsBar>
    </>
  )
}
