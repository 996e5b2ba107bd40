import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** One key, as it is printed on the keyboard. */
export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-border bg-sunken px-1',
        'font-medium font-sans text-muted text-xs',
        className,
      )}
      {...props}
    />
  )
}
