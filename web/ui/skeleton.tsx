import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** The shape of something that is still loading. Give it the size of what will stand there. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden="true" className={cn('animate-pulse rounded-md bg-hover', className)} {...props} />
}
