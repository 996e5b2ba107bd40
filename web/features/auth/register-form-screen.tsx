import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { normalizeEmail } from '#web/lib/email-address.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { addRedirect, buildCallbackUrl } from '#web/lib/redirect.ts'
import { storageKeys, writeStored } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, FormError, TextLink } from './auth-frame.tsx'
import { GoogleSignIn } from './google-sign-in.tsx'
import { RegisterFields, type RegisterValues } from './register-fields.tsx'
import { useScreenState } from './screen-state.ts'

export interface RegisterInvitation {
  readonly token: string
  readonly email: string
  readonly organizationName: string
}

/** `onSent`: the account exists, and a verification email is queued. */
export function RegisterFormScreen({
  next,
  invitation,
  onSent,
}: {
  next: string
  invitation?: RegisterInvitation
  onSent: (email: string, password: string) => void
}) {
  const { appUrl } = useConfig()
  const hydrated = useHydrated()
  const { email: knownEmail } = useScreenState()
  const [failure, setFailure] = useState<ReactNode>()
  const form = useForm<RegisterValues>()
  const { handleSubmit, formState, setValue } = form
  useEffect(() => {
    if (knownEmail !== undefined && !invitation) setValue('email', knownEmail)
  }, [knownEmail, invitation, setValue])

  const submit = handleSubmit(async (values) => {
    setFailure(undefined)
    const email = normalizeEmail(values.email)
    const attempt = startAuthAttempt('sign_up')
    writeStored(storageKeys.lastSignUpEmail, email, 'session')
    const { refusal, isSignedIn } = await signUp(
      { ...values, email },
      invitation?.token,
      buildCallbackUrl(appUrl, { purpose: 'signup', next }),
    )
    if (!refusal) {
      attempt.succeed()
      if (!isSignedIn) onSent(email, values.password)
      return
    }
    attempt.fail(refusal)
    setFailure(<SignUpRefusal refusal={refusal} email={email} next={next} />)
  })

  return (
    <AuthFrame
      title={invitation ? `Join ${invitation.organizationName}` : 'Create your account'}
      documentTitle="Create your account"
      description={invitation ? 'Create your account to join the team.' : 'Set up your account and organisation.'}
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
      {/* post: if the form is sent before the app runs, the password must not end up in a URL. */}
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <RegisterFields form={form} invitedEmail={invitation?.email} />
        {failure !== undefined && <FormError>{failure}</FormError>}
        <Button type="submit" loading={formState.isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Create account
        </Button>
      </form>
    </AuthFrame>
  )
}

/** Without an invitation, a new organisation is created with the account. */
async function signUp(
  { fullName, organizationName, email, password }: RegisterValues,
  invitationToken: string | undefined,
  emailRedirectTo: string,
) {
  const { data, error } = await (await loadAuthClient()).signUp({
    email,
    password,
    options: {
      emailRedirectTo,
      data: {
        full_name: fullName.trim(),
        ...(invitationToken === undefined
          ? { organization_name: organizationName.trim() }
          : { invitation_token: invitationToken }),
      },
    },
  })
  // An address that already has an account gets the answer of a new one, but without an identity.
  const refusal = error ?? (data.user?.identities?.length === 0 ? alreadyRegistered : undefined)
  return { refusal, isSignedIn: Boolean(data.session) }
}

const alreadyRegistered = { code: 'user_already_registered' }

function SignUpRefusal({ refusal, email, next }: { refusal: unknown; email: string; next: string }) {
  const message = describeAuthError(refusal)
  return (
    <>
      <p>{message}</p>
      {message === describeAuthError(alreadyRegistered) && <RegisteredLinks email={email} next={next} />}
    </>
  )
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
