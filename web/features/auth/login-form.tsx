import type { ReactNode } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useHydrated } from '#web/lib/hydrated.ts'
import { Button } from '#web/ui/button.tsx'
import { FormError, TextLink } from './auth-frame.tsx'
import { EmailField, validateEmail } from './email-field.tsx'
import { PasswordField } from './password-field.tsx'

export interface LoginValues {
  email: string
  password: string
  remember: boolean
}

interface LoginFormProps {
  form: UseFormReturn<LoginValues>
  isEmailFixed: boolean | undefined
  failure: ReactNode
  link: { readonly isSending: boolean; readonly remainingSeconds: number }
  onSubmit: (values: LoginValues) => Promise<void>
  onRequestLink: () => void
}

/** Email and password, with two ways on: sign in, or have a link emailed. */
export function LoginForm({ form, isEmailFixed, failure, link, onSubmit, onRequestLink }: LoginFormProps) {
  const hydrated = useHydrated()
  const { register, handleSubmit, formState } = form
  const { errors, isSubmitting } = formState
  return (
    // post: should the form ever be sent before the app runs, the password must not end up in an address.
    <form method="post" onSubmit={handleSubmit(onSubmit)} noValidate className="flex flex-col gap-4">
      <EmailField
        error={errors.email?.message}
        readOnly={isEmailFixed}
        hint={isEmailFixed ? 'The invited address.' : undefined}
        {...register('email', { validate: validateEmail })}
      />
      <PasswordField
        label="Password"
        error={errors.password?.message}
        autoComplete="current-password"
        {...register('password', { required: 'Please enter your password' })}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-base">
        <label className="flex items-center gap-2">
          <input type="checkbox" defaultChecked={true} className="size-4 accent-accent" {...register('remember')} />
          Remember me
        </label>
        <ForgotPasswordLink control={form.control} />
      </div>
      {failure !== undefined && <FormError>{failure}</FormError>}
      <div className="flex flex-col gap-2">
        <Button type="submit" loading={isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Sign in
        </Button>
        <Button
          variant="secondary"
          loading={link.isSending}
          disabled={!hydrated}
          onClick={onRequestLink}
          className="disabled:opacity-100"
        >
          Email me a sign-in link
          {link.remainingSeconds > 0 && <span className="tabular-nums">({link.remainingSeconds} s)</span>}
        </Button>
      </div>
    </form>
  )
}

/** Keeps the typed email. */
function ForgotPasswordLink({ control }: { control: UseFormReturn<LoginValues>['control'] }) {
  const email = useWatch({ control, name: 'email' })
  return (
    <TextLink to="/forgot-password" state={{ email }}>
      Forgot Password
    </TextLink>
  )
}
