import { cn } from './class-names.ts'

/** The mark: something said, and how far it carries. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={cn('size-6', className)}>
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <g className="stroke-on-accent" fill="none" strokeWidth="2" strokeLinecap="round">
        <path d="M11.2 8.6a4.4 4.4 0 0 1 0 6.8" />
        <path d="M14.2 5.6a8.4 8.4 0 0 1 0 12.8" />
      </g>
      <circle cx="7.4" cy="12" r="2" className="fill-on-accent" />
    </svg>
  )
}

/** Mark and name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span
      className={cn('inline-flex items-center gap-2 font-semibold text-foreground text-lg tracking-tight', className)}
    >
      <LogoMark />
      Earshot
    </span>
  )
}
