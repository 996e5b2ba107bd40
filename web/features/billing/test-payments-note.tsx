import { useConfig } from '#web/lib/config.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { cn } from '#web/ui/class-names.ts'

const cards = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0025 0000 3155', 'asks for 3-D Secure'],
  ['4000 0000 0000 0002', 'is declined'],
] as const

/** Says that no money moves, where that is so, and names cards to test with. */
export function TestPaymentsNote({ className }: { className?: string }) {
  const { testPayments } = useConfig()
  if (!testPayments) return null
  return (
    <aside
      aria-label="Test payments"
      className={cn(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-border border-dashed px-5 py-3 text-base text-muted',
        className,
      )}
    >
      <Badge tone="info">Test payments</Badge>
      <p>No money moves. Test cards:</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {cards.map(([number, outcome]) => (
          <li key={number}>
            <span className="whitespace-nowrap font-mono text-foreground text-sm">{number}</span> {outcome}
          </li>
        ))}
      </ul>
    </aside>
  )
}
