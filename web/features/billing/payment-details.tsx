import { useQuery } from '@tanstack/react-query'
import type { UpcomingPayment } from '#contract/billing.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { upcomingQuery } from './billing-query.ts'
import { describeMethod } from './describe-payment.ts'
import { formatPrice } from './describe-plan.ts'
import { PortalButton } from './portal-button.tsx'

/** The next invoice, how it is paid and whom it names. Without Stripe, the rest of the screen works. */
export function PaymentDetails({ organizationId }: { organizationId: string }) {
  const { data, error, refetch, isFetching } = useQuery(upcomingQuery(organizationId))
  return (
    <>
      {data && <Details upcoming={data} />}
      {!data && error && (
        <div role="alert" className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5 text-base">
          <div className="min-w-0 flex-1 basis-64">
            <p className="font-medium">Couldn’t load from Stripe</p>
            <p className="text-muted">{error.message}</p>
            <RequestNote error={error} />
          </div>
          <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {!data && !error && <Skeleton className="m-5 h-20" />}
      <SettingsBar>
        <PortalButton organizationId={organizationId}>Change payment method, address or tax id</PortalButton>
      </SettingsBar>
    </>
  )
}

function Details({ upcoming: { nextInvoice, paymentMethod, customer } }: { upcoming: UpcomingPayment }) {
  const lines = [
    ['Next invoice', nextInvoice ? `${formatPrice(nextInvoice.cents)} on ${formatDay(nextInvoice.at)}` : 'None'],
    ['Payment method', paymentMethod ? describeMethod(paymentMethod) : 'None'],
    ['Invoices name', customer.name ?? customer.email ?? 'No one yet'],
    ...(customer.taxIds.length > 0 ? [['Tax id', customer.taxIds.join(', ')]] : []),
  ]
  return (
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
  )
}
