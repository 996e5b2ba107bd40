import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'

interface ShownSecretProps {
  secret: string
  /** Names the secret for screen readers. */
  label: string
  /** Advice on where to keep it. */
  children: ReactNode
  /** Absent: the page continues below, and no button closes it. */
  onDone?: () => void
}

/** A new secret with a button that copies it, the only time that it is shown. */
export function ShownSecret({ secret, label, children, onDone }: ShownSecretProps) {
  const place = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone: without this, the page would have it.
  useEffect(() => place.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={place} className="flex flex-col gap-4">
      <CodeBlock code={secret} label={label} />
      <p className="text-muted text-sm">{children}</p>
      {onDone && (
        <Button className="self-end" variant="secondary" onClick={onDone}>
          Done
        </Button>
      )}
    </div>
  )
}
