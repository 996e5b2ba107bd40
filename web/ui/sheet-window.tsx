import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Read by screen readers; not shown. */
  title: string
  children: ReactNode
}

/** The panel of a sheet. */
export function SheetWindow({
  open,
  onOpenChange,
  title,
  children,
  onCloseAutoFocus,
}: SheetProps & { onCloseAutoFocus: (event: Event) => void }) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          onCloseAutoFocus={onCloseAutoFocus}
          aria-describedby={undefined}
          className="animate-slide-left fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col bg-surface shadow-lg outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
          <Radix.Close
            aria-label="Close menu"
            className="absolute top-4 pointer-coarse:top-3 right-3 flex size-8 items-center justify-center rounded-md text-muted pointer-coarse:size-10 hover:bg-hover hover:text-foreground"
          >
            <X aria-hidden="true" className="size-4" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
