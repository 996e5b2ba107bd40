import { Slot } from 'radix-ui'
import { useState } from 'react'
import { Attached } from './attached.tsx'
import { makePopoverTrigger } from './early-triggers.ts'
import { useOverlays } from './late-overlays.ts'
import { useMain } from './main-region.tsx'
import type { PickMenuProps } from './pick-list.tsx'

/** Picks out of many values by typing: arrows move, Enter picks, Escape leaves. */
export function PickMenu(props: PickMenuProps) {
  const { label, open, onOpenChange, returnFocus, align = 'start', children } = props
  const main = useMain()
  const [element, setElement] = useState<HTMLElement | null>(null)
  const overlays = useOverlays(open)
  return (
    <>
      <Slot.Root ref={setElement} {...makePopoverTrigger(() => onOpenChange(true))}>
        {children}
      </Slot.Root>
      {overlays && element && (
        <overlays.Popover.Root open={open} onOpenChange={onOpenChange}>
          <overlays.Popover.Trigger asChild>
            <Attached element={element} />
          </overlays.Popover.Trigger>
          <overlays.Popover.Portal container={main}>
            <overlays.Popover.Content
              data-pick-menu
              aria-label={label}
              align={align}
              sideOffset={6}
              collisionPadding={8}
              onCloseAutoFocus={(event) => {
                if (!returnFocus) return
                event.preventDefault()
                returnFocus()
              }}
              className="animate-pop z-50 flex max-h-[min(26rem,var(--radix-popover-content-available-height))] w-64 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-border bg-raised text-foreground shadow-lg outline-none"
            >
              <overlays.PickList {...props} />
            </overlays.Popover.Content>
          </overlays.Popover.Portal>
        </overlays.Popover.Root>
      )}
    </>
  )
}
