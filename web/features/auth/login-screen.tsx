import { type ReactNode, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { normalizeEmail, readLinkAddress } from '#web/lib/email-address.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { addRedirect, readRedirect } from '#web/lib/redirect.ts'
import { useSession } from '#web/lib/session.tsx'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, FormError, TextLink } from './auth-frame.tsx'
import { sendMagicLink } from './auth-mails.ts'
import { useCooldown } from './cooldown.ts'
import { EmailField, validateEmail } from './email-field.tsx'
import { GoogleSignIn } from './google-sign-in.tsx'
import { LinkSentScreen } from './link-sent-screen.tsx'
import { PasswordField } from './password-field.tsx'
import { ResendVerificationLink, useResendFromToast } from './resend-verification.tsx'
import { useScreenState } from './screen-state.ts'
import { useLinkMessages } from './use-link-messages.ts'

interface LoginForm {
  email: string
  password: string
  remember: boolean
}

/** Sign in by password, Google or mailed link. Also where failed mailed links come out, hence the toasts. */
export function LoginScreen() {
  const session = useSession()
  const { search } = useLocation()
  const next = readRedirect(search)
  const { email: knownEmail, isEmailFixed, sentTo } = useScreenState()
  const hydrated = useHydrated()
  const [failure, setFailure] = useState<ReactNode>()
  // No default values: they would wipe out what was typed or filled in before the page came alive.
  const form = useForm<LoginForm>()
  const { register, handleSubmit, formState, getValues, setValue } = form
  const { errors, isSubmitting } = formState
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

  const submit = handleSubmit(async ({ email, password }) => {
    setFailure(undefined)
    const attempt = startAuthAttempt('password')
    rememberChoice()
    const { error } = await getAuthClient().signInWithPassword({ email: normalizeEmail(email), password })
    if (!error) {
      attempt.succeed()
      removeStored(storageKeys.pendingEmailVerification)
      return
    }
    attempt.fail(error)
    const isUnverified = error.code === 'email_not_confirmed'
    if (isUnverified) writeStored(storageKeys.pendingEmailVerification, normalizeEmail(email))
    setFailure(
      <>
        <p>{describeAuthError(error)}</p>
        {isUnverified && <ResendVerificationLink email={normalizeEmail(email)} next={next} />}
      </>,
    )
  })

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
      {/* post: should the form ever be sent before the app runs, the password must not end up in an address. */}
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <EmailField
          error={errors.email?.message}
          readOnly={isEmailFixed}
          hint={isEmailFixed ? 'The address that was invited.' : undefined}
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
            onClick={requestLink}
            className="disabled:opacity-100"
          >
            Email me a sign-in link
            {link.remainingSeconds > 0 && <span className="tabular-nums">({link.remainingSeconds} s)</span>}
          </Button>
        </div>
      </form>
    </AuthFrame>
  )
}

const invalidAddress = 'Please enter a valid email address'

/** Mails a link, at most once in 60 s, and shows what to do with it. */
function useLinkRequest(next: string, beforeSending: () => void) {
  const { appUrl } = useConfig()
  const { search } = useLocation()
  const navigate = useNavigate()
  const cooldown = useCooldown('magicLinkSentAt')
  const [isSending, setSending] = useState(false)
  /** The message, if it wasn't sent. */
  const request = async (typedEmail: string): Promise<string | undefined> => {
    const email = readLinkAddress(typedEmail)
    if (email === undefined) return invalidAddress
    const { remainingSeconds } = cooldown
    if (remainingSeconds > 0) return `Please wait ${remainingSeconds} seconds before requesting another magic link`
    beforeSending()
    setSending(true)
    cooldown.start()
    try {
      await sendMagicLink(email, { appUrl, next })
      navigate({ pathname: '/login', search }, { state: { sentTo: email } })
      return undefined
    } catch (error) {
      cooldown.clear()
      return describeAuthError(error)
    } finally {
      setSending(false)
    }
  }
  return { request, isSending, remainingSeconds: cooldown.remainingSeconds }
}

/** Takes along what was typed. */
function ForgotPasswordLink({ control }: { control: ReturnType<typeof useForm<LoginForm>>['control'] }) {
  const email = useWatch({ control, name: 'email' })
  return (
    <TextLink to="/forgot-password" state={{ email }}>
      Forgot Password
    </TextLink>
  )
}
