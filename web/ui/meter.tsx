import { cn } from './class-names.ts'

interface MeterProps {
  /** Name of the measured quantity, for screen readers. */
  label: string
  used: number
  limit: number
  /** The same in words, shown beside the bar. */
  text: string
  className?: string
}

const nearlyFull = 0.8

/** How much of a limit is used, as a bar. The words stand beside it, so that colour is never the only sign. */
export function Meter({ label, used, limit, text, className }: MeterProps) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const tone = share >= 1 ? 'bg-danger' : share >= nearlyFull ? 'bg-warning-text' : 'bg-accent'
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in colours of their own
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={text}
      className={cn('h-2 overflow-hidden rounded-full bg-sunken', className)}
    >
      {/* Any use at all is visible. */}
      <div className={cn('h-full rounded-full', tone)} style={{ width: used > 0 ? `max(3px, ${share * 100}%)` : 0 }} />
    </div>
  )
}
