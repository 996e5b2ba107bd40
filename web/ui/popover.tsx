import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { cn } from './class-names.ts'
import { useMain } from './main-region.tsx'

interface PopoverProps {
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What opens it, and where it is shown: one element that takes a ref. */
  trigger: ReactElement
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom'
  /** Where focus goes when it closes, if not to what opened it. */
  returnFocus?: (() => void) | undefined
  className?: string
  children: ReactNode
}

/** A small window beside what opens it. It belongs to the page's main part, for those who move by landmarks. */
export function Popover({
  label,
  open,
  onOpenChange,
  trigger,
  align = 'start',
  side = 'bottom',
  returnFocus,
  className,
  children,
}: PopoverProps) {
  const main = useMain()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={main}>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            'animate-pop z-50 flex w-72 max-w-[calc(100vw-1rem)] flex-col rounded-lg border border-border bg-raised',
            'max-h-[min(26rem,var(--radix-popover-content-available-height))] text-foreground shadow-lg outline-none',
            className,
          )}
          onCloseAutoFocus={(event) => {
            if (!returnFocus) return
            event.preventDefault()
            returnFocus()
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
