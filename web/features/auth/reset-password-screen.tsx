import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { Address, AuthFrame, AuthSpinner, FormError, TextLink } from './auth-frame.tsx'
import { findLinkError } from './link-messages.ts'
import { type PasswordChange, PasswordChangeFields } from './password-change-fields.tsx'
import { isFromMail } from './sign-in-method.ts'

/** Sets a new password, for a person who came from an emailed link. */
export function ResetPasswordScreen() {
  const session = useSession()
  const [isDone, setDone] = useState(false)
  if (session.status === 'loading' || isDone) return <AuthSpinner documentTitle="Choose a new password" />
  if (session.status === 'signed_out') return <LinkNeededScreen />
  if (!isFromMail(session.session)) return <LinkNeededScreen signedInAs={session.user.email ?? ''} />
  return <ResetPasswordForm email={session.user.email ?? ''} onDone={() => setDone(true)} />
}

function ResetPasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const [failure, setFailure] = useState<string>()
  const form = useForm<PasswordChange>()
  const { handleSubmit, formState, setError } = form

  const submit = handleSubmit(async ({ password }) => {
    setFailure(undefined)
    const attempt = startAuthAttempt('new_password')
    const { error } = await (await loadAuthClient()).updateUser({ password })
    if (!error) {
      attempt.succeed()
      onDone()
      toast({
        title: 'Password changed',
        description: 'You are signed in here. Other devices have been signed out.',
        tone: 'success',
      })
      navigate('/dashboard', { replace: true })
      return
    }
    attempt.fail(error)
    const message = describeAuthError(error)
    if (error.code === 'same_password' || error.code === 'weak_password') {
      setError('password', { message }, { shouldFocus: true })
    } else setFailure(message)
  })
  return (
    <AuthFrame
      title="Choose a new password"
      description={
        <>
          For <Address>{email}</Address>.
        </>
      }
    >
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <PasswordChangeFields form={form} email={email} />
        {failure !== undefined && <FormError>{failure}</FormError>}
        <Button type="submit" loading={formState.isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Set new password
        </Button>
      </form>
    </AuthFrame>
  )
}

/** Shown without a session from an emailed link. */
function LinkNeededScreen({ signedInAs }: { signedInAs?: string }) {
  const location = useLocation()
  const linkError = findLinkError(location)
  return (
    <AuthFrame
      title="Reset link required"
      documentTitle="Choose a new password"
      description={
        linkError
          ? 'This link was used before or has expired.'
          : 'To choose a new password, request a reset link and open it from the email.'
      }
      footer={
        signedInAs === undefined ? (
          <TextLink to="/login">Back to sign in</TextLink>
        ) : (
          <>
            You are signed in as <Address>{signedInAs}</Address>. <TextLink to="/dashboard">Go to Dashboard</TextLink>
          </>
        )
      }
    >
      <Button asChild>
        <Link to="/forgot-password" state={{ email: signedInAs }}>
          Request a reset link
        </Link>
      </Button>
    </AuthFrame>
  )
}
