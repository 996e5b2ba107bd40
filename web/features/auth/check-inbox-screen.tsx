import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AuthFrame, FormError } from './auth-frame.tsx'
import { CodeForm } from './code-form.tsx'

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
