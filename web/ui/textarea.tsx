import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { inputStyles } from './input.tsx'

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={cn(inputStyles, 'min-h-20 resize-y py-2', className)} {...props} />
}
