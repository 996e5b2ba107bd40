import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { SearchX, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { useFeedbackChanges } from '#web/lib/use-feedback-changes.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type DeliveryState, deliveriesQuery } from '../integration-queries.ts'
import { integrationsKey } from '../integrations-query.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { deliveryStates } from './delivery-state.tsx'

// `Object.keys` forgets the names.
const states = Object.keys(deliveryStates) as DeliveryState[]

/** Deliveries of the last 30 days, latest first. Read again every few seconds. */
export function DeliveryLog({ integration }: { integration: Integration }) {
  const { organization } = useOrganization()
  const [state, setState] = useState<DeliveryState>()
  const log = useInfiniteQuery(deliveriesQuery(organization.id, integration.id, state))
  const deliveries = log.data?.pages.flatMap(({ items }) => items)
  useReadAfterEvents(organization.id)
  return (
    <section aria-labelledby="deliveries" className="flex min-w-0 flex-col">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries" className="font-semibold text-lg">
          Deliveries
        </h2>
        <Select
          aria-label="State"
          className="w-auto"
          value={state ?? ''}
          onChange={({ currentTarget }) => setState(states.find((each) => each === currentTarget.value))}
        >
          <option value="">All states</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {deliveryStates[each].label}
            </option>
          ))}
        </Select>
      </div>
      {deliveries === undefined ? (
        log.error ? (
          <LoadFailure title="Couldn’t load the deliveries" error={log.error} onRetry={() => void log.refetch()} />
        ) : (
          <LogSkeleton />
        )
      ) : deliveries.length === 0 ? (
        <NoDeliveries isFiltered={state !== undefined} onClear={() => setState(undefined)} />
      ) : (
        <>
          <ul
            aria-label="Deliveries"
            aria-busy={log.isPlaceholderData}
            className="mt-3 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <DeliveryRow delivery={delivery} integration={integration} />
              </li>
            ))}
          </ul>
          <MoreButton list={log} className="mt-4 self-center" />
        </>
      )}
    </section>
  )
}

/** Most deliveries have arrived so long after their event. */
const deliveredAfterMs = 1000

/** Reads states and deliveries again after each change of feedback. */
function useReadAfterEvents(organizationId: string): void {
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useFeedbackChanges(organizationId, () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: integrationsKey(organizationId) }),
      deliveredAfterMs,
    )
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

function NoDeliveries({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState
      icon={<SearchX />}
      title="No results"
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear filter
        </Button>
      }
    >
      No delivery of the last 30 days is in this state.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<Send />}
      title="No deliveries yet"
      className="mt-3 rounded-xl border border-border border-dashed"
    >
      Send a test, or wait for the next event.
    </EmptyState>
  )
}

function LogSkeleton() {
  return (
    <output className="mt-3 block divide-y divide-border rounded-lg border border-border bg-surface">
      <span className="sr-only">Loading deliveries</span>
      {['first', 'second', 'third', 'fourth'].map((name) => (
        <div key={name} className="flex items-center gap-3 px-4 py-4">
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </output>
  )
}
