import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  className?: string
  children: ReactNode
}

/** The window of a dialog. */
export function DialogWindow({
  open,
  onOpenChange,
  title,
  description,
  className,
  children,
  onCloseAutoFocus,
}: DialogProps & { onCloseAutoFocus: (event: Event) => void }) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          onCloseAutoFocus={onCloseAutoFocus}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={cn(
            'animate-pop fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-xl border border-border',
            'bg-raised text-foreground shadow-lg outline-none',
            'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[calc(100vw-3rem)] sm:max-w-lg',
            'sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl',
            className,
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-5 pb-4 sm:px-6">
            <div className="flex min-w-0 flex-col gap-1">
              <Radix.Title className="break-words font-semibold text-xl">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="text-base text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className="-mt-1 -mr-2 flex size-8 shrink-0 items-center justify-center rounded-md text-muted pointer-coarse:size-10 hover:bg-hover hover:text-foreground"
            >
              <X aria-hidden="true" className="size-4" />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5 sm:px-6 sm:pb-6">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
