import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { cn } from './class-names.ts'
import { copyText } from './copy-text.ts'
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
