import { useInfiniteQuery } from '@tanstack/react-query'
import type { Invoice } from '#contract/billing.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { invoicesQuery } from './billing-query.ts'
import { describeInvoice } from './describe-payment.ts'
import { formatPrice } from './describe-plan.ts'

/** All invoices, with their documents. */
export function InvoiceList({ organizationId }: { organizationId: string }) {
  const list = useInfiniteQuery(invoicesQuery(organizationId))
  const invoices = list.data?.pages.flatMap(({ items }) => items)
  if (!invoices && list.error) {
    return <LoadFailure title="Couldn’t load the invoices" error={list.error} onRetry={() => void list.refetch()} />
  }
  if (!invoices) return <Skeleton className="m-5 h-20" />
  if (invoices.length === 0) {
    return (
      <p className="p-5 text-base text-muted">No invoices yet. The first one appears here when you choose a plan.</p>
    )
  }
  return (
    <>
      <ul className="divide-y divide-border">
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </ul>
      {list.hasNextPage && (
        <SettingsBar>
          <MoreButton list={list} />
        </SettingsBar>
      )}
    </>
  )
}

const linkStyles = 'rounded-sm text-accent-text underline-offset-4 hover:underline'

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { number, createdAt, totalCents, pdfUrl, pageUrl } = invoice
  const { word, tone } = describeInvoice(invoice)
  const name = number ?? 'without a number'
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-1 px-5 py-3 text-base">
      <span className="w-40">{formatDay(createdAt)}</span>
      <span className="w-16 tabular-nums">{formatPrice(totalCents)}</span>
      <Badge tone={tone}>{word}</Badge>
      <span className="ml-auto flex gap-4">
        {pageUrl !== null && (
          <a href={pageUrl} target="_blank" rel="noreferrer" className={linkStyles} aria-label={`Open invoice ${name}`}>
            Open
          </a>
        )}
        {pdfUrl !== null && (
          <a
            href={pdfUrl}
            target="_blank"
            rel="noreferrer"
            className={linkStyles}
            aria-label={`PDF of invoice ${name}`}
          >
            PDF
          </a>
        )}
      </span>
    </li>
  )
}
