import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

/** An empty or error state: icon, message and action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  className,
}: {
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}) {
  return (
    <div className={cn('flex flex-col items-center justify-center px-6 py-16 text-center', className)}>
      {icon !== undefined && (
        <div
          aria-hidden="true"
          className="mb-4 flex size-11 items-center justify-center rounded-lg bg-sunken text-muted ring-1 ring-border ring-inset [&_svg]:size-5"
        >
          {icon}
        </div>
      )}
      <h2 className="font-semibold text-foreground text-lg">{title}</h2>
      {children !== undefined && <div className="mt-1 max-w-sm text-balance text-base text-muted">{children}</div>}
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
