import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { findEmailProblem, normalizeEmail } from '#web/lib/email-address.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useSession } from '#web/lib/session.tsx'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, FormError } from './auth-frame.tsx'
import { buildCallbackUrl } from './resend-verification.ts'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

interface RegisterForm {
  fullName: string
  organizationName: string
  email: string
  password: string
}

const shortestPassword = 6
const longestName = 100

/** Sign up: a person and their organisation at once. Afterwards, until the address is verified, how to do that. */
export function RegisterScreen() {
  const session = useSession()
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const [searchParams, setSearchParams] = useSearchParams()
  const [sentJustNow, setSentJustNow] = useState(false)
  const pendingEmail = hydrated ? readStored(storageKeys.pendingEmailVerification) : null

  if (session.status === 'signed_in') return <Navigate to="/dashboard" replace />
  if (searchParams.has('verify') && pendingEmail) {
    const leave = () => {
      removeStored(storageKeys.pendingEmailVerification)
      navigate('/login')
    }
    return <VerifyEmailScreen email={pendingEmail} sentJustNow={sentJustNow} onSignOut={leave} />
  }
  const showVerification = (email: string) => {
    writeStored(storageKeys.pendingEmailVerification, email)
    setSentJustNow(true)
    setSearchParams({ verify: '' })
  }
  return <RegisterFormScreen onSent={showVerification} />
}

function RegisterFormScreen({ onSent }: { onSent: (email: string) => void }) {
  const hydrated = useHydrated()
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, formState } = useForm<RegisterForm>()
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (form) => {
    setFailure(undefined)
    const email = normalizeEmail(form.email)
    const attempt = startAuthAttempt('sign_up')
    writeStored(storageKeys.lastSignUpEmail, email, 'session')
    const { data, error } = await getAuthClient().signUp({
      email,
      password: form.password,
      options: {
        emailRedirectTo: buildCallbackUrl(),
        data: { organization_name: form.organizationName.trim(), full_name: form.fullName.trim() },
      },
    })
    // An address that has an account already answers like a new one, but without an identity.
    const refusal = error ?? (data.user?.identities?.length === 0 ? { code: 'user_already_registered' } : undefined)
    if (refusal) {
      attempt.fail(refusal)
      setFailure(describeAuthError(refusal))
      return
    }
    attempt.succeed()
    if (!data.session) onSent(email)
  })

  const readName = (missing: string) => ({
    validate: (value: string) => {
      if (value.trim() === '') return missing
      return [...value.trim()].length <= longestName || `Please use at most ${longestName} characters`
    },
  })
  return (
    <AuthFrame
      title="Create your account"
      description="A person, an organisation, and you are ready to listen."
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" className="font-medium text-accent-text underline-offset-4 hover:underline">
            Sign in
          </Link>
        </>
      }
    >
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="Full name" error={errors.fullName?.message}>
          {(control) => (
            <Input {...control} autoComplete="name" {...register('fullName', readName('Please enter your name'))} />
          )}
        </Field>
        <Field label="Organisation" hint="Your company or team." error={errors.organizationName?.message}>
          {(control) => (
            <Input
              {...control}
              autoComplete="organization"
              {...register('organizationName', readName('Please enter a name for your organisation'))}
            />
          )}
        </Field>
        <Field label="Email" error={errors.email?.message}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="username"
              {...register('email', { validate: (value) => findEmailProblem(normalizeEmail(value)) ?? true })}
            />
          )}
        </Field>
        <Field label="Password" hint="At least 6 characters." error={errors.password?.message}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="new-password"
              {...register('password', {
                validate: (value) =>
                  [...value].length >= shortestPassword || 'Password is too weak. Please use at least 6 characters.',
              })}
            />
          )}
        </Field>
        {failure !== undefined && <FormError>{failure}</FormError>}
        <Button type="submit" loading={isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Create account
        </Button>
      </form>
    </AuthFrame>
  )
}
