import type { Integration } from '#contract/integrations.ts'
import { locale } from '#web/lib/locale.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'

const badges: Readonly<Record<Integration['state'], { label: string; tone: BadgeTone }>> = {
  active: { label: 'Active', tone: 'success' },
  failing: { label: 'Failing', tone: 'danger' },
  paused: { label: 'Paused', tone: 'neutral' },
  disabled: { label: 'Disabled', tone: 'danger' },
}

/** `Active`, `Failing since 5 min ago`. */
export function StateBadge({ integration: { state, failingSince } }: { integration: Integration }) {
  const { label, tone } = badges[state]
  return (
    <Badge tone={tone}>
      <span>
        {label}
        {state === 'failing' && failingSince !== null && (
          <>
            {' '}
            since <RelativeTime iso={failingSince} />
          </>
        )}
      </span>
    </Badge>
  )
}

/** When something last arrived, and how much waits. */
export function DeliveryTimes({ integration: { lastDeliveredAt, waiting } }: { integration: Integration }) {
  return (
    <>
      <span>
        {lastDeliveredAt === null ? (
          'Nothing delivered yet'
        ) : (
          <>
            Last delivery <RelativeTime iso={lastDeliveredAt} />
          </>
        )}
      </span>
      {waiting > 0 && <span>{formatWaiting(waiting)}</span>}
    </>
  )
}

/** The server counts to 1,000. */
const countedTo = 1000

/** `3 waiting`, `1,000 or more waiting`. */
export function formatWaiting(waiting: number): string {
  return `${waiting.toLocaleString(locale)}${waiting >= countedTo ? ' or more' : ''} waiting`
}
