import { cn } from './class-names.ts'

/** A person or organisation as initials. Decorative: the name always stands beside it or in the button's label. */
export function Avatar({ name, square = false, className }: { name: string; square?: boolean; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-flex size-8 shrink-0 select-none items-center justify-center bg-accent-soft font-semibold text-accent-text text-xs',
        square ? 'rounded-md' : 'rounded-full',
        className,
      )}
    >
      {formatInitials(name)}
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
