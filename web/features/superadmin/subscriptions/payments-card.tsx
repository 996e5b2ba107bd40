import type { SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { formatCents } from '../format-money.ts'

export type Payment = SubscriberBilling['payments'][number]

const statuses: Readonly<Record<Payment['status'], { label: string; tone: BadgeTone }>> = {
  paid: { label: 'Paid', tone: 'success' },
  open: { label: 'Open', tone: 'warning' },
  void: { label: 'Void', tone: 'neutral' },
  uncollectible: { label: 'Uncollectible', tone: 'danger' },
}

/** The payments of an organisation, each with what was refunded of it. */
export function PaymentsCard({
  billing: { payments, refunds },
  onRefund,
}: {
  billing: SubscriberBilling
  onRefund: (payment: Payment) => void
}) {
  return (
    <Card aria-labelledby="payments-title">
      <CardHeader>
        <CardTitle id="payments-title">Payments</CardTitle>
      </CardHeader>
      <CardContent>
        {payments.length === 0 ? (
          <p className="text-base text-muted">No payments yet.</p>
        ) : (
          <ul aria-label="Payments" className="divide-y divide-border">
            {payments.map((payment) => (
              <li key={payment.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
                <div className="min-w-0 flex-1 basis-48">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-medium tabular-nums">
                      {formatCents(payment.totalCents, { currency: payment.currency })}
                    </span>
                    <Badge tone={statuses[payment.status].tone}>{statuses[payment.status].label}</Badge>
                  </p>
                  <p className="text-muted text-sm">{describePayment(payment)}</p>
                  {refunds
                    .filter(({ paymentId }) => paymentId === payment.id)
                    .map((refund) => (
                      <p key={refund.id} className="text-muted text-sm">
                        {formatCents(refund.cents, { currency: refund.currency })} refunded on{' '}
                        {formatDay(refund.createdAt)}
                        {refund.status !== 'succeeded' && ` (${refund.status})`}
                      </p>
                    ))}
                </div>
                <span className="flex items-center gap-2">
                  {payment.pdfUrl !== null && (
                    <Button asChild variant="link" size="sm">
                      <a href={payment.pdfUrl} target="_blank" rel="noreferrer">
                        PDF<span className="sr-only"> of invoice {payment.number}</span>
                      </a>
                    </Button>
                  )}
                  {payment.paidCents > payment.refundedCents && (
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Refund payment ${payment.number ?? payment.id}`}
                      onClick={() => onRefund(payment)}
                    >
                      Refund
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

function describePayment({ number, createdAt, taxCents, currency }: Payment): string {
  const parts = [
    formatDay(createdAt),
    number ?? '',
    taxCents > 0 ? `with ${formatCents(taxCents, { currency })} tax` : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
