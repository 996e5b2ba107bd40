import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { normalizeEmail } from '#web/lib/email-address.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { addRedirect, buildCallbackUrl } from '#web/lib/redirect.ts'
import { storageKeys, writeStored } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, FormError, TextLink } from './auth-frame.tsx'
import { EmailField, validateEmail } from './email-field.tsx'
import { GoogleSignIn } from './google-sign-in.tsx'
import { PasswordField } from './password-field.tsx'
import { shortestPassword } from './password-strength.ts'
import { useScreenState } from './screen-state.ts'

interface RegisterForm {
  fullName: string
  organizationName: string
  email: string
  password: string
}

const longestName = 100

export interface RegisterInvitation {
  readonly token: string
  readonly email: string
  readonly organizationName: string
}

/** `onSent`: the account is made, and a mail to verify its address is on its way. */
export function RegisterFormScreen({
  next,
  invitation,
  onSent,
}: {
  next: string
  invitation?: RegisterInvitation
  onSent: (email: string) => void
}) {
  const { appUrl } = useConfig()
  const hydrated = useHydrated()
  const { email: knownEmail } = useScreenState()
  const [failure, setFailure] = useState<ReactNode>()
  const { register, handleSubmit, formState, setValue, watch } = useForm<RegisterForm>()
  const { errors, isSubmitting } = formState
  useEffect(() => {
    if (knownEmail !== undefined && !invitation) setValue('email', knownEmail)
  }, [knownEmail, invitation, setValue])

  const submit = handleSubmit(async ({ fullName, organizationName, email: typedEmail, password }) => {
    setFailure(undefined)
    const email = normalizeEmail(typedEmail)
    const attempt = startAuthAttempt('sign_up')
    writeStored(storageKeys.lastSignUpEmail, email, 'session')
    const { data, error } = await getAuthClient().signUp({
      email,
      password,
      options: {
        emailRedirectTo: buildCallbackUrl(appUrl, { purpose: 'signup', next }),
        data: {
          full_name: fullName.trim(),
          ...(invitation ? { invitation_token: invitation.token } : { organization_name: organizationName.trim() }),
        },
      },
    })
    // An address that has an account already answers like a new one, but without an identity.
    const refusal = error ?? (data.user?.identities?.length === 0 ? { code: 'user_already_registered' } : undefined)
    if (!refusal) {
      attempt.succeed()
      if (!data.session) onSent(email)
      return
    }
    attempt.fail(refusal)
    const message = describeAuthError(refusal)
    const isRegistered = message === describeAuthError({ code: 'user_already_registered' })
    setFailure(
      <>
        <p>{message}</p>
        {isRegistered && <RegisteredLinks email={email} next={next} />}
      </>,
    )
  })

  return (
    <AuthFrame
      title={invitation ? `Join ${invitation.organizationName}` : 'Create your account'}
      documentTitle="Create your account"
      description={
        invitation
          ? 'Your account, and you are on the team.'
          : 'A person, an organisation, and you are ready to listen.'
      }
      footer={
        <>
          Already have an account?{' '}
          <TextLink
            to={addRedirect('/login', next)}
            {...(invitation && { state: { email: invitation.email, isEmailFixed: true } })}
          >
            Sign in
          </TextLink>
        </>
      }
    >
      <GoogleSignIn next={next} email={invitation?.email} onFailure={setFailure} />
      {/* post: should the form ever be sent before the app runs, the password must not end up in an address. */}
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="Full name" error={errors.fullName?.message}>
          {(control) => (
            <Input {...control} autoComplete="name" {...register('fullName', readName('Please enter your name'))} />
          )}
        </Field>
        {!invitation && (
          <Field label="Organisation" hint="Your company or team." error={errors.organizationName?.message}>
            {(control) => (
              <Input
                {...control}
                autoComplete="organization"
                {...register('organizationName', readName('Please enter a name for your organisation'))}
              />
            )}
          </Field>
        )}
        <EmailField
          error={errors.email?.message}
          defaultValue={invitation?.email}
          readOnly={invitation !== undefined}
          hint={invitation && 'The address that was invited.'}
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
        {failure !== undefined && <FormError>{failure}</FormError>}
        <Button type="submit" loading={isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Create account
        </Button>
      </form>
    </AuthFrame>
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

function RegisteredLinks({ email, next }: { email: string; next: string }) {
  const style = 'text-danger-text underline'
  return (
    <p className="mt-1 flex flex-wrap gap-x-4">
      <TextLink to={addRedirect('/login', next)} state={{ email }} className={style}>
        Sign in with this address
      </TextLink>
      <TextLink to="/forgot-password" state={{ email }} className={style}>
        Forgot Password
      </TextLink>
    </p>
  )
}
