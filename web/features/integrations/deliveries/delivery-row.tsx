import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import type { Integration } from '#contract/integrations.ts'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { nameEvent } from '../event-words.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { deliveryStates } from './delivery-state.tsx'
import { formatWait } from './read-exchange.ts'

interface RowProps {
  delivery: Delivery
  integration: Integration
}

/** One delivery: what it was about and how it went, and opened its attempts. */
export function DeliveryRow({ delivery, integration }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { event, feedbackNumber, state, createdAt, failure } = delivery
  const { label, icon: Icon, tone } = deliveryStates[state]
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex cursor-default list-none items-start gap-3 px-4 py-3 text-base hover:bg-hover focus-visible:outline-offset-[-2px] [&::-webkit-details-marker]:hidden">
        <Icon aria-hidden="true" className={cn('mt-1 size-4 shrink-0', tone)} />
        <span className="min-w-0 flex-1">
          <span className="block leading-6">
            {nameEvent(event)}
            {feedbackNumber !== null && <span className="text-muted"> #{feedbackNumber}</span>}
          </span>
          <span className="block text-muted text-sm [overflow-wrap:anywhere]">
            {label}
            {describeAnswer(delivery)}
          </span>
          {failure !== null && (
            <span className="block text-danger-text text-sm [overflow-wrap:anywhere]">{failure}</span>
          )}
        </span>
        <RelativeTime iso={createdAt} className="shrink-0 text-muted text-sm leading-6" />
        <ChevronRight
          aria-hidden="true"
          className="mt-1 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
      </summary>
      {isOpen && <DeliveryDetails delivery={delivery} integration={integration} />}
    </details>
  )
}

/** ` · 200 in 43 ms · 2 attempts`, ` · 3 attempts · next in 5 min`. */
function describeAnswer({ state, attempts, status, durationMs, nextAttemptAt }: Delivery): string {
  const parts = [
    status === null ? undefined : `${status}${durationMs === null ? '' : ` in ${durationMs} ms`}`,
    attempts > 1 ? `${attempts} attempts` : undefined,
    state === 'waiting' && nextAttemptAt !== null ? `next attempt ${formatWait(nextAttemptAt, Date.now())}` : undefined,
  ]
  return parts.flatMap((part) => (part === undefined ? [] : [` · ${part}`])).join('')
}
