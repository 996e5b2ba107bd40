import { cn } from './class-names.ts'

/** A turning ring. Give `label` where it stands alone; inside a button the button's own text says what happens. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const ring = (
    <svg viewBox="0 0 16 16" fill="none" aria-hidden="true" className={cn('size-4 animate-spin', className)}>
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
  if (label === undefined) return ring
  return (
    <output className="inline-flex items-center">
      {ring}
      <span className="sr-only">{label}</span>
    </output>
  )
}

/** A spinner in the middle of whatever it fills. */
export function FullSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="flex min-h-[60vh] flex-1 items-center justify-center text-muted">
      <Spinner label={label} className="size-6" />
    </div>
  )
}
