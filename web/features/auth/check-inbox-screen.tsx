import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, FormError } from './auth-frame.tsx'

/** Instructions after an email was requested: click its link, or enter its code, which also works on another device. */
export function CheckInboxScreen({
  email,
  codeType,
  description,
  secondsUntilResend,
  onResend,
  onVerified,
  footer,
}: {
  email: string
  /** The kind of code to verify. */
  codeType: 'email' | 'recovery'
  description: ReactNode
  secondsUntilResend: number
  /** Requests another email. Resolves to the error message if that fails. */
  onResend: () => Promise<string | undefined>
  onVerified?: () => void
  footer: ReactNode
}) {
  const [failure, setFailure] = useState<string>()
  const [isSending, setSending] = useState(false)
  const [wasSentAgain, setSentAgain] = useState(false)
  const resend = async () => {
    setFailure(undefined)
    setSending(true)
    const message = await onResend()
    setFailure(message)
    setSentAgain(message === undefined)
    setSending(false)
  }
  return (
    <AuthFrame title="Check your inbox" description={description} footer={footer}>
      <CodeForm email={email} type={codeType} {...(onVerified && { onVerified })} />
      <div className="flex flex-col gap-2">
        {failure !== undefined && <FormError>{failure}</FormError>}
        <Button
          variant="secondary"
          loading={isSending}
          disabled={secondsUntilResend > 0}
          onClick={resend}
          className="tabular-nums"
        >
          {secondsUntilResend > 0 ? `Resend email (${secondsUntilResend} s)` : 'Resend email'}
        </Button>
        <p aria-live="polite" className="min-h-5 text-center text-muted text-sm">
          {wasSentAgain ? 'Sent. Use the newest email.' : 'Nothing there? Check your spam folder.'}
        </p>
      </div>
    </AuthFrame>
  )
}

const wrongCode = 'This code is wrong or has expired. Use the code in the newest email.'

function CodeForm({ email, type, onVerified }: { email: string; type: 'email' | 'recovery'; onVerified?: () => void }) {
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, formState, setError } = useForm<{ code: string }>()
  const submit = handleSubmit(async ({ code }) => {
    setFailure(undefined)
    const attempt = startAuthAttempt('callback')
    const { error } = await getAuthClient().verifyOtp({ email, token: readCode(code), type })
    if (!error) {
      attempt.succeed()
      onVerified?.()
      return
    }
    attempt.fail(error)
    if (error.code === 'otp_expired') setError('code', { message: wrongCode }, { shouldFocus: true })
    else setFailure(describeAuthError(error))
  })
  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="6-digit code" hint="From the email. It works on any device." error={formState.errors.code?.message}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            maxLength={20}
            className="h-11 font-mono text-xl tracking-[0.3em] pointer-coarse:text-xl"
            {...register('code', {
              validate: (value) => /^\d{6,10}$/.test(readCode(value)) || 'Please enter the 6 digits from the email',
            })}
          />
        )}
      </Field>
      {failure !== undefined && <FormError>{failure}</FormError>}
      <Button type="submit" loading={formState.isSubmitting}>
        Verify code
      </Button>
    </form>
  )
}

/** Removes the spaces that mail programs and people put into a code. */
function readCode(typed: string): string {
  return typed.normalize('NFKC').replaceAll(/[\s-]/g, '')
}
