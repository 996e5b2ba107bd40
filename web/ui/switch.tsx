import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'

/** On or off, taking effect at once, with its words beside it. */
export function SwitchRow({
  label,
  hint,
  checked,
  onChange,
}: {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex min-h-10 items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium text-base">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-muted text-sm">
            {hint}
          </p>
        )}
      </div>
      <Switch
        id={id}
        checked={checked}
        onChange={onChange}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
    </div>
  )
}

/** On or off, taking effect at once. Its name stands elsewhere: by `aria-label`, or a label for its `id`. */
export function Switch({
  onChange,
  ...props
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string
}) {
  return (
    <Radix.Root
      {...props}
      onCheckedChange={onChange}
      className="before:-inset-y-2 relative mt-0.5 block h-6 w-10 shrink-0 rounded-full bg-border-strong transition-colors before:absolute before:inset-x-0 disabled:opacity-55 data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="block size-5 translate-x-0.5 rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-4.5 motion-reduce:transition-none" />
    </Radix.Root>
  )
}
