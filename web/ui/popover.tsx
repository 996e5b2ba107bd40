import { Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, useState } from 'react'
import { Attached } from './attached.tsx'
import { cn } from './class-names.ts'
import { makePopoverTrigger } from './early-triggers.ts'
import { useOverlays } from './late-overlays.ts'
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
  /** Where it is put, if not into the page's main part: an open drawer keeps the focus within itself. */
  container?: HTMLElement | null
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
  container,
  children,
}: PopoverProps) {
  const main = useMain()
  const [element, setElement] = useState<HTMLElement | null>(null)
  const Radix = useOverlays(open)?.Popover
  return (
    <>
      <Slot.Root ref={setElement} {...makePopoverTrigger(() => onOpenChange(true))}>
        {trigger}
      </Slot.Root>
      {Radix && element && (
        <Radix.Root open={open} onOpenChange={onOpenChange}>
          <Radix.Trigger asChild>
            <Attached element={element} />
          </Radix.Trigger>
          <Radix.Portal container={container ?? main}>
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
      )}
    </>
  )
}
