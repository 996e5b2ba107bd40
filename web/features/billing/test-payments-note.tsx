import { useConfig } from '#web/lib/config.tsx'
import { Badge } from '#web/ui/badge.tsx'

/** Says that no money moves, where that is so. */
export function TestPaymentsNote() {
  const { testPayments } = useConfig()
  if (!testPayments) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-muted">
      <Badge tone="info">Test payments</Badge>
      <span>
        No money moves. The card <span className="font-mono">4242 4242 4242 4242</span> pays,{' '}
        <span className="font-mono">4000 0000 0000 0002</span> is declined.
      </span>
    </p>
  )
}
