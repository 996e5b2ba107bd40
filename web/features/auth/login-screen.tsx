import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { findEmailProblem, normalizeEmail } from '#web/lib/email-address.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { readRedirect } from '#web/lib/redirect.ts'
import { useSession } from '#web/lib/session.tsx'
import { removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, FormError } from './auth-frame.tsx'
import { describeLinkError, findLinkError, findLinkSuccess, removeSpoken } from './link-messages.ts'
import { findPendingEmail, resendVerification } from './resend-verification.ts'

interface LoginForm {
  email: string
  password: string
  remember: boolean
}

/** Sign in by password. Also the place where failed mailed links come out, hence the toasts. */
export function LoginScreen() {
  const session = useSession()
  const { search } = useLocation()
  const { hasSpoken } = useLinkMessages()
  const hydrated = useHydrated()
  const [failure, setFailure] = useState<{ message: string; isUnverified: boolean }>()
  const { register, handleSubmit, formState, getValues } = useForm<LoginForm>()
  const { errors, isSubmitting } = formState

  if (session.status === 'signed_in' && hasSpoken) return <Navigate to={readRedirect(search)} replace />

  const submit = handleSubmit(async ({ email, password, remember }) => {
    setFailure(undefined)
    const attempt = startAuthAttempt('password')
    writeStored(storageKeys.rememberMe, String(remember))
    const { error } = await getAuthClient().signInWithPassword({ email: normalizeEmail(email), password })
    if (error) {
      attempt.fail(error)
      const isUnverified = error.code === 'email_not_confirmed'
      if (isUnverified) writeStored(storageKeys.pendingEmailVerification, normalizeEmail(email))
      setFailure({ message: describeAuthError(error), isUnverified })
      return
    }
    attempt.succeed()
    removeStored(storageKeys.pendingEmailVerification)
  })

  return (
    <AuthFrame
      title="Welcome back"
      description="Sign in to read what your visitors tell you."
      footer={
        <>
          New here?{' '}
          <Link to="/register" className="font-medium text-accent-text underline-offset-4 hover:underline">
            Create an account
          </Link>
        </>
      }
    >
      {/* post: should the form ever be sent before the app runs, the password must not end up in an address. */}
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
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
        <Field label="Password" error={errors.password?.message}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              {...register('password', { required: 'Please enter your password' })}
            />
          )}
        </Field>
        <RememberMe {...register('remember')} />
        {failure && (
          <FormError>
            <p>{failure.message}</p>
            {failure.isUnverified && <ResendLink getEmail={() => normalizeEmail(getValues('email'))} />}
          </FormError>
        )}
        <Button type="submit" loading={isSubmitting} disabled={!hydrated} className="disabled:opacity-100">
          Sign in
        </Button>
      </form>
    </AuthFrame>
  )
}

function RememberMe(props: ReturnType<ReturnType<typeof useForm<LoginForm>>['register']>) {
  return (
    <label className="flex items-center gap-2 text-base">
      <input type="checkbox" defaultChecked={true} className="size-4 accent-accent" {...props} />
      Remember me
    </label>
  )
}

function ResendLink({ getEmail }: { getEmail: () => string }) {
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    await resendWithToasts(getEmail())
    setSending(false)
  }
  return (
    <Button
      variant="link"
      loading={isSending}
      onClick={send}
      className="mt-1 font-medium text-danger-text underline underline-offset-4"
    >
      Resend Verification Email
    </Button>
  )
}

async function resendWithToasts(email: string): Promise<void> {
  try {
    await resendVerification(email)
    toast({
      title: 'Verification Email Sent',
      description: 'Please check your inbox and spam folder for the verification link.',
      tone: 'success',
    })
  } catch (error) {
    toast({ title: 'Failed to Resend Email', description: describeAuthError(error), tone: 'danger' })
  }
}

/** Shows what a redirect brought along, once, and takes it out of the address. */
function useLinkMessages() {
  const { search, hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [hasSpoken, setSpoken] = useState(false)
  useEffect(() => {
    const error = findLinkError({ search, hash })
    const success = findLinkSuccess(search)
    if (error) toast(describeLinkError(error, () => resendFromToast(navigate)))
    else if (success) toast(success)
    setSpoken(true)
    if (error || success) navigate({ pathname, search: removeSpoken(search), hash: '' }, { replace: true })
  }, [search, hash, pathname, navigate])
  return { hasSpoken }
}

async function resendFromToast(navigate: (path: string) => unknown): Promise<void> {
  const email = findPendingEmail()
  if (email === undefined) {
    navigate('/register')
    return
  }
  try {
    await resendVerification(email)
    toast({
      title: 'Email Sent',
      description: 'Please check your inbox and spam folder for the verification link.',
      tone: 'success',
    })
  } catch {
    toast({
      title: 'Error',
      description: 'Failed to resend confirmation email. Please try signing up again.',
      tone: 'danger',
    })
  }
}
