import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

/** One of a few, all in sight. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: ReactNode }[]
  onChange: (value: Value) => void
  className?: string
}) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Pressing the current option again would clear it: one is always selected.
      onValueChange={(next) => next !== '' && onChange(next as Value)}
      className={cn('inline-flex flex-wrap gap-0.5 rounded-md border border-border bg-sunken p-0.5', className)}
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className={cn(
            'h-8 rounded-sm px-3 text-base text-muted hover:text-foreground disabled:opacity-55 pointer-coarse:h-10',
            'data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-foreground data-[state=on]:shadow-sm',
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
