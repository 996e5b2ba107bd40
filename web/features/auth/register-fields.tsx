import type { UseFormReturn } from 'react-hook-form'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { EmailField, validateEmail } from './email-field.tsx'
import { PasswordField } from './password-field.tsx'
import { shortestPassword } from './password-strength.ts'

export interface RegisterValues {
  fullName: string
  organizationName: string
  email: string
  password: string
}

const longestName = 100

interface RegisterFieldsProps {
  form: UseFormReturn<RegisterValues>
  /** Fixed by an invitation, which also names the organisation. */
  invitedEmail: string | undefined
}

/** Name, organisation, email and password of a new account. */
export function RegisterFields({ form, invitedEmail }: RegisterFieldsProps) {
  const { register, formState, watch } = form
  const { errors } = formState
  const isInvited = invitedEmail !== undefined
  // Registered in the order of the screen: the first one in error takes the focus.
  const fullName = register('fullName', readName('Please enter your name'))
  const organizationName = isInvited
    ? undefined
    : register('organizationName', readName('Please enter a name for your organisation'))
  return (
    <>
      <Field label="Full name" error={errors.fullName?.message}>
        {(control) => <Input {...control} autoComplete="name" {...fullName} />}
      </Field>
      {organizationName && (
        <Field label="Organisation" hint="Your company or team." error={errors.organizationName?.message}>
          {(control) => <Input {...control} autoComplete="organization" {...organizationName} />}
        </Field>
      )}
      <EmailField
        error={errors.email?.message}
        defaultValue={invitedEmail}
        readOnly={isInvited}
        hint={isInvited ? 'The invited address.' : undefined}
        {...register('email', { validate: validateEmail })}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        error={errors.password?.message}
        judged={watch('password') ?? ''}
        {...register('password', {
          validate: (value) => [...value].length >= shortestPassword || describeAuthError({ code: 'weak_password' }),
        })}
      />
    </>
  )
}

function readName(missing: string) {
  return {
    validate: (value: string) => {
      if (value.trim() === '') return missing
      return [...value.trim()].length <= longestName || `Please use at most ${longestName} characters`
    },
  }
}
