import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { normalizeEmail } from '#web/lib/email-address.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { Button } from '#web/ui/button.tsx'
import { Address, AuthFrame, FormError, TextLink } from './auth-frame.tsx'
import { sendRecovery } from './auth-mails.ts'
import { CheckInboxScreen } from './check-inbox-screen.tsx'
import { useCooldown } from './cooldown.ts'
import { EmailField, validateEmail } from './email-field.tsx'
import { useScreenState } from './screen-state.ts'
import { useLinkMessages } from './use-link-messages.ts'

/** Requests a password reset link. Failed reset links also lead here. */
export function ForgotPasswordScreen() {
  const { sentTo } = useScreenState()
  useLinkMessages()
  return sentTo === undefined ? <ForgotPasswordForm /> : <RecoverySentScreen email={sentTo} />
}

function ForgotPasswordForm() {
  const { email: knownEmail } = useScreenState()
  const { appUrl } = useConfig()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const cooldown = useCooldown('recoverySentAt')
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, formState, setValue } = useForm<{ email: string }>()
  useEffect(() => {
    if (knownEmail !== undefined) setValue('email', knownEmail)
  }, [knownEmail, setValue])

  const submit = handleSubmit(async (form) => {
    setFailure(undefined)
    const email = normalizeEmail(form.email)
    try {
      await sendRecovery(email, { appUrl })
      cooldown.start()
      navigate('/forgot-password', { state: { sentTo: email } })
    } catch (error) {
      setFailure(describeAuthError(error))
    }
  })
  return (
    <AuthFrame
      title="Forgot your password?"
      description="We'll send you a link to choose a new one."
      footer={
        <>
          Remembered it? <TextLink to="/login">Back to sign in</TextLink>
        </>
      }
    >
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <EmailField error={formState.errors.email?.message} {...register('email', { validate: validateEmail })} />
        {failure !== undefined && <FormError>{failure}</FormError>}
        <Button type="submit" loading={formState.isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Send reset link
        </Button>
      </form>
    </AuthFrame>
  )
}

/** The same for an address without an account: the screen must not reveal who has one. */
function RecoverySentScreen({ email }: { email: string }) {
  const { appUrl } = useConfig()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const cooldown = useCooldown('recoverySentAt')
  return (
    <CheckInboxScreen
      email={email}
      codeType="recovery"
      description={
        <>
          If <Address>{email}</Address> has an account, we sent a link to it. Open the link in this browser, or enter
          the code below.
        </>
      }
      secondsUntilResend={cooldown.remainingSeconds}
      onResend={() => cooldown.send(() => sendRecovery(email, { appUrl }))}
      onVerified={() => navigate('/reset-password', { replace: true })}
      footer={
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
          <TextLink to={pathname} state={{ email }}>
            Use another address
          </TextLink>
          <TextLink to="/login">Back to sign in</TextLink>
        </div>
      }
    />
  )
}
