import { useEffect, useRef, useState } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'

/** A button that asks for confirmation in place before it acts. Escape cancels. */
export function ConfirmButton({
  label,
  question,
  confirmLabel,
  onConfirm,
  loading = false,
  'aria-label': accessibleName,
  ...props
}: {
  label: string
  question: string
  confirmLabel: string
  onConfirm: () => void
} & Omit<ButtonProps, 'onClick' | 'children' | 'asChild'>) {
  const [isAsking, setAsking] = useState(false)
  const confirm = useRef<HTMLButtonElement>(null)
  const start = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    if (isAsking) confirm.current?.focus()
    else if (wasAsking.current) start.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])
  if (!isAsking) {
    return (
      <Button
        ref={start}
        variant="secondary"
        size="sm"
        loading={loading}
        aria-label={accessibleName}
        onClick={() => setAsking(true)}
        {...props}
      >
        {label}
      </Button>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
    <div
      role="group"
      aria-label={question}
      className="ml-auto flex flex-wrap items-center justify-end gap-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setAsking(false)
      }}
    >
      <span className="w-full text-right text-base sm:w-auto">{question}</span>
      <Button variant="secondary" size="sm" onClick={() => setAsking(false)}>
        Cancel
      </Button>
      <Button
        ref={confirm}
        variant="danger"
        size="sm"
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
      >
        {confirmLabel}
      </Button>
    </div>
  )
}
