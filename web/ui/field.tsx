import { Label as RadixLabel } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './class-names.ts'

function Label({ className, ...props }: ComponentProps<typeof RadixLabel.Root>) {
  return <RadixLabel.Root className={cn('font-medium text-base text-foreground', className)} {...props} />
}

/** What ties a control to its label, hint and error. Spread it on the control. */
interface FieldControl {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

interface FieldProps {
  label: ReactNode
  /** A sentence below the label's control, shown as long as there is no error. */
  hint?: ReactNode
  error?: string | undefined
  /** Beside the label, at the end of the line: a link, "optional". */
  aside?: ReactNode
  className?: string
  children: (control: FieldControl) => ReactNode
}

/** Label, control, and hint or error, tied together for screen readers. */
export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <Label htmlFor={id}>{label}</Label>
        {aside !== undefined && <span className="text-muted text-sm">{aside}</span>}
      </div>
      {children({
        id,
        ...(note !== undefined && { 'aria-describedby': noteId }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {note !== undefined && (
        <p
          id={noteId}
          className={cn(
            'text-sm',
            // An error may have a line for each entry of a list.
            error === undefined ? 'text-muted' : 'whitespace-pre-line text-danger-text [overflow-wrap:anywhere]',
          )}
          {...(error !== undefined && { role: 'alert' })}
        >
          {note}
        </p>
      )}
    </div>
  )
}
