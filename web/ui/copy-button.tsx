import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { cn } from './class-names.ts'
import { toast } from './toast.tsx'

const feedbackMs = 2000

/** Copies `text` and says so, in place, without changing its width. */
export function CopyButton({
  text,
  label = 'Copy',
  iconOnly = false,
  className,
  ...props
}: { text: string; label?: string; iconOnly?: boolean } & Omit<ButtonProps, 'onClick' | 'children' | 'asChild'>) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), feedbackMs)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    if (await copyText(text)) setCopied(true)
    else toast({ title: 'Copying is blocked in this browser', description: 'Please select the text and copy it.' })
  }

  const icon = copied ? <Check aria-hidden="true" className="text-success-text" /> : <Copy aria-hidden="true" />
  return (
    <>
      <Button
        variant="secondary"
        size={iconOnly ? 'icon-sm' : 'sm'}
        onClick={copy}
        {...(iconOnly && { 'aria-label': label })}
        className={className}
        {...props}
      >
        {icon}
        {!iconOnly && (
          <span className="grid">
            <span className={cn('col-start-1 row-start-1', copied && 'invisible')}>{label}</span>
            <span className={cn('col-start-1 row-start-1 text-left', !copied && 'invisible')}>Copied</span>
          </span>
        )}
      </Button>
      <output className="sr-only">{copied ? 'Copied' : ''}</output>
    </>
  )
}

/** Whether the text is in the clipboard now. Pages without TLS have no clipboard API, only the old command. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  const focused = document.activeElement
  area.value = text
  area.readOnly = true
  area.className = 'fixed opacity-0'
  // Inside an open dialog, whose focus trap would take the selection away from the page's body.
  ;(focused?.closest('[role="dialog"]') ?? document.body).append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
