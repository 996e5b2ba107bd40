import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** Shared by everything that is typed into. */
export const inputStyles = cn(
  'w-full rounded-md border border-border-strong bg-surface px-3 text-base text-foreground shadow-sm',
  'placeholder:text-muted transition-colors duration-100',
  'focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-ring focus-visible:border-transparent',
  'aria-invalid:border-danger aria-invalid:focus-visible:outline-danger',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:opacity-70',
  // 16 px on touch screens: iOS zooms into smaller fields.
  'pointer-coarse:text-lg',
)

export function Input({ className, type = 'text', ...props }: ComponentProps<'input'>) {
  return <input type={type} className={cn(inputStyles, 'h-9 pointer-coarse:h-10', className)} {...props} />
}
