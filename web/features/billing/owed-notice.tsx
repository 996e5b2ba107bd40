import { CircleAlert } from 'lucide-react'
import type { OwedPayment } from '#contract/billing.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { describeOwed } from './describe-payment.ts'

/** An invoice that could not be collected, and where to pay it. */
export function OwedNotice({ owed }: { owed: OwedPayment }) {
  const { title, text, action } = describeOwed(owed, formatDay)
  return (
    <section
      aria-label={title}
      className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-border bg-danger-soft p-5 text-base"
    >
      <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger-text max-sm:hidden" />
      <div className="flex flex-1 basis-64 flex-col gap-0.5">
        <h2 className="font-medium text-danger-text">{title}</h2>
        <p>{text}</p>
      </div>
      {owed.pageUrl !== null && (
        <Button asChild>
          {/* Stripe’s page has no way back to ours: this one stays open. */}
          <a href={owed.pageUrl} target="_blank" rel="noreferrer">
            {action}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </Button>
      )}
    </section>
  )
}
