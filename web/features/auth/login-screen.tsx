import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { normalizeEmail, readLinkAddress } from '#web/lib/email-address.ts'
import { addRedirect, readRedirect } from '#web/lib/redirect.ts'
import { useSession } from '#web/lib/session.tsx'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, TextLink } from './auth-frame.tsx'
import { sendMagicLink } from './auth-mails.ts'
import { useCooldown } from './cooldown.ts'
import { GoogleSignIn } from './google-sign-in.tsx'
import { LinkSentScreen } from './link-sent-screen.tsx'
import { LoginForm, type LoginValues } from './login-form.tsx'
import { ResendVerificationLink, useResendFromToast } from './resend-verification.tsx'
import { useScreenState } from './screen-state.ts'
import { useLinkMessages } from './use-link-messages.ts'

/** Sign in by password, Google or emailed link. Failed emailed links also lead here, hence the toasts. */
export function LoginScreen() {
  const session = useSession()
  const { search } = useLocation()
  const next = readRedirect(search)
  const { email: knownEmail, isEmailFixed, sentTo } = useScreenState()
  const [failure, setFailure] = useState<ReactNode>()
  // No default values: they would overwrite input typed or autofilled before hydration.
  const form = useForm<LoginValues>()
  const { getValues, setValue } = form
  const rememberChoice = () => writeStored(storageKeys.rememberMe, String(getValues('remember')))
  const link = useLinkRequest(next, rememberChoice)
  const requestLink = async () => {
    setFailure(undefined)
    form.clearErrors()
    const message = await link.request(getValues('email'))
    if (message === invalidAddress) form.setError('email', { message }, { shouldFocus: true })
    else setFailure(message)
  }
  const resendFromToast = useResendFromToast()
  const { hasSpoken } = useLinkMessages((error) => {
    if (error.purpose === 'magiclink') requestLink()
    else resendFromToast()
  })
  useEffect(() => {
    if (knownEmail !== undefined) setValue('email', knownEmail)
  }, [knownEmail, setValue])
  useEffect(() => {
    if (readStored(storageKeys.rememberMe) === 'false') setValue('remember', false)
  }, [setValue])

  if (session.status === 'signed_in' && hasSpoken) return <Navigate to={next} replace />
  if (sentTo !== undefined) return <LinkSentScreen email={sentTo} next={next} />

  const submit = async (values: LoginValues) => {
    setFailure(undefined)
    rememberChoice()
    const refusal = await signIn(values, next)
    if (refusal !== undefined) setFailure(refusal)
  }

  return (
    <AuthFrame
      title="Welcome back"
      documentTitle="Sign in"
      description="Sign in to read what your visitors tell you."
      footer={
        <>
          New here? <TextLink to={addRedirect('/register', next)}>Create an account</TextLink>
        </>
      }
    >
      <GoogleSignIn
        next={next}
        email={isEmailFixed ? knownEmail : undefined}
        onLeave={rememberChoice}
        onFailure={setFailure}
      />
      <LoginForm
        form={form}
        isEmailFixed={isEmailFixed}
        failure={failure}
        link={link}
        onSubmit={submit}
        onRequestLink={requestLink}
      />
    </AuthFrame>
  )
}

/** Resolves to what the form shows where the sign-in failed: why, and a way on for an unverified address. */
async function signIn({ email: typedEmail, password }: LoginValues, next: string): Promise<ReactNode> {
  const email = normalizeEmail(typedEmail)
  const attempt = startAuthAttempt('password')
  const { error } = await (await loadAuthClient()).signInWithPassword({ email, password })
  if (!error) {
    attempt.succeed()
    removeStored(storageKeys.pendingEmailVerification)
    return undefined
  }
  attempt.fail(error)
  const isUnverified = error.code === 'email_not_confirmed'
  if (isUnverified) writeStored(storageKeys.pendingEmailVerification, email)
  return (
    <>
      <p>{describeAuthError(error)}</p>
      {isUnverified && <ResendVerificationLink email={email} next={next} />}
    </>
  )
}

const invalidAddress = 'Please enter a valid email address'

/** Emails a link, at most once in 60 s, and shows the instructions. */
function useLinkRequest(next: string, beforeSending: () => void) {
  const { appUrl } = useConfig()
  const { search } = useLocation()
  const navigate = useNavigate()
  const cooldown = useCooldown('magicLinkSentAt')
  /** Resolves to the error message if it wasn't sent. */
  const request = async (typedEmail: string): Promise<string | undefined> => {
    const email = readLinkAddress(typedEmail)
    if (email === undefined) return invalidAddress
    const { remainingSeconds } = cooldown
    if (remainingSeconds > 0) return `Please wait ${remainingSeconds} seconds before requesting another magic link`
    beforeSending()
    return cooldown.send(async () => {
      await sendMagicLink(email, { appUrl, next })
      navigate({ pathname: '/login', search }, { state: { sentTo: email } })
    })
  }
  return { request, isSending: cooldown.isSending, remainingSeconds: cooldown.remainingSeconds }
}
