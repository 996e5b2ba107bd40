import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

export const Tabs = Radix.Root
export const TabsContent = Radix.Content

export function TabsList({ className, ...props }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      className={cn('flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none]', className)}
      {...props}
    />
  )
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        '-mb-px h-9 shrink-0 pointer-coarse:h-10 whitespace-nowrap border-transparent border-b-2 px-2.5 font-medium text-base text-muted',
        'hover:text-foreground focus-visible:outline-offset-[-2px] data-[state=active]:border-accent',
        'data-[state=active]:text-foreground',
        className,
      )}
      {...props}
    />
  )
}
