import { Popover as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

export const Popover = Radix.Root
export const PopoverTrigger = Radix.Trigger
export const PopoverClose = Radix.Close

/** A small window beside what opened it. Focus goes in, and back when it closes. */
export function PopoverContent({ className, sideOffset = 6, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          'animate-pop z-50 rounded-lg border border-border bg-raised p-1 text-foreground shadow-lg outline-none',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  )
}
