import type { UseFormReturn } from 'react-hook-form'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { PasswordField } from './password-field.tsx'
import { shortestPassword } from './password-strength.ts'

export interface PasswordChange {
  current: string
  password: string
  confirmation: string
}

const weakPassword = describeAuthError({ code: 'weak_password' })

/** A new password, typed twice, after the current one where `asksCurrent`. */
export function PasswordChangeFields({
  form,
  email,
  asksCurrent = false,
}: {
  form: UseFormReturn<PasswordChange>
  /** Tells password managers which account it is. */
  email: string
  asksCurrent?: boolean
}) {
  const { register, watch } = form
  const { errors } = form.formState
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {asksCurrent && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          error={errors.current?.message}
          {...register('current')}
        />
      )}
      <PasswordField
        label="New password"
        autoComplete="new-password"
        error={errors.password?.message}
        judged={watch('password') ?? ''}
        {...register('password', {
          validate: (value) => [...(value ?? '')].length >= shortestPassword || weakPassword,
        })}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmation?.message}
        {...register('confirmation', {
          validate: (value, { password }) => value === password || describeAuthError({ code: 'password_mismatch' }),
        })}
      />
    </>
  )
}
