import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { inputStyles } from './input.tsx'

/** The browser's own select: every phone knows how to show it. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select className={cn(inputStyles, 'h-9 pr-8 pointer-coarse:h-10', className)} {...props} />
}
