import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { RequestNote } from './request-note.tsx'

/** Asks before something that others notice. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  isDangerous = false,
  isPending,
  error,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** What happens. */
  children: ReactNode
  /** On the button that does it. */
  action: string
  isDangerous?: boolean
  isPending: boolean
  error: Error | null
  onConfirm: () => void
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-2 text-base text-muted [overflow-wrap:anywhere]">{children}</div>
        {error && (
          <p role="alert" className="text-base text-danger-text">
            {error.message}
            <RequestNote error={error} />
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
