import type { ComponentProps } from 'react'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** What the server calls an expired code, in words for one that was typed. */
export const wrongCode = 'This code is wrong or has expired. Use the code in the newest email.'

/** The field for the six-digit code of an email. Its rules: {@link validateCode}. */
export function CodeField({ error, ...props }: ComponentProps<'input'> & { error?: string | undefined }) {
  return (
    <Field label="6-digit code" hint="From the email. It works on any device." error={error}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          maxLength={20}
          className="h-11 font-mono text-xl tracking-[0.3em] pointer-coarse:text-xl"
          {...props}
        />
      )}
    </Field>
  )
}

/** For react-hook-form: true, or the error message. */
export function validateCode(typed: string): true | string {
  return /^\d{6,10}$/.test(readCode(typed)) || 'Please enter the 6 digits from the email'
}

/** Removes the spaces that mail programs and people put into a code. */
export function readCode(typed: string): string {
  return typed.normalize('NFKC').replaceAll(/[\s-]/g, '')
}
