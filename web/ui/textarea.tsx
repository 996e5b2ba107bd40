import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { inputStyles } from './input.tsx'

export function Textarea({ className, rows = 4, ...props }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={cn(inputStyles, 'min-h-20 py-2', className)} {...props} />
}
