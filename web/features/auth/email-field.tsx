import type { ComponentProps } from 'react'
import { findEmailProblem, normalizeEmail } from '#web/lib/email-address.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

interface EmailFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  error?: string | undefined
  hint?: string | undefined
}

export function EmailField({ error, hint, ...props }: EmailFieldProps) {
  return (
    <Field label="Email" error={error} hint={hint}>
      {(control) => (
        <Input
          {...control}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          className="read-only:bg-sunken read-only:shadow-none"
          {...props}
        />
      )}
    </Field>
  )
}

/** Validates the address as it would be sent. */
export function validateEmail(value: string): string | true {
  return findEmailProblem(normalizeEmail(value)) ?? true
}
