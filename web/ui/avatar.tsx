import { useState } from 'react'
import { withBasePath } from '../lib/base-path.ts'
import { cn } from './class-names.ts'

/**
 * A person or organisation as picture or initials. Decorative: the name always stands beside it or in the button's
 * label.
 */
export function Avatar({
  name,
  src,
  square = false,
  className,
}: {
  name: string
  src?: string | undefined
  square?: boolean
  className?: string
}) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-flex size-8 shrink-0 select-none items-center justify-center overflow-hidden bg-accent-soft font-semibold text-accent-text text-xs',
        square ? 'rounded-md' : 'rounded-full',
        className,
      )}
    >
      {src === undefined || src === brokenSrc ? (
        formatInitials(name)
      ) : (
        <img
          src={withBasePath(src)}
          alt=""
          draggable={false}
          className="size-full object-cover"
          onError={() => setBrokenSrc(src)}
        />
      )}
    </span>
  )
}

/** At most two letters: `Ada Lovelace` → `AL`, `ada@example.com` → `A`. */
function formatInitials(name: string): string {
  const words = name.replace(/@.*/, '').split(/\s+/).filter(Boolean)
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last].map((word) => [...word][0]?.toLocaleUpperCase() ?? '').join('')
}
