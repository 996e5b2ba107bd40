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
          {list.isFetchNextPageError && (
            <p role="alert" className="min-w-0 flex-1 text-base text-danger-text">
              {list.error?.message}
            </p>
          )}
          <MoreButton list={list} />
        </SettingsBar>
      )}
    </>
  )
}

const linkStyles = 'rounded-sm text-accent-text underline-offset-4 hover:underline pointer-coarse:py-2'

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { number, createdAt, totalCents, taxCents, pdfUrl, pageUrl } = invoice
  const { word, tone } = describeInvoice(invoice)
  const name = number ?? 'without a number'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-base">
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium tabular-nums">{formatPrice(totalCents)}</span>
          <Badge tone={tone}>{word}</Badge>
          {taxCents > 0 && <span className="text-muted text-sm">incl. {formatPrice(taxCents)} tax</span>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          <span>{formatDay(createdAt)}</span>
          <span className="[overflow-wrap:anywhere]">{number ?? 'No number'}</span>
        </p>
      </div>
      <p className="flex gap-5">
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
      </p>
    </li>
  )
}
