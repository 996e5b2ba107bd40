import { useState } from 'react'
import { useNavigate } from 'react-router'
import { addRedirect } from '#web/lib/redirect.ts'
import { signOut } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Address, AuthFrame, FormError, TextLink } from './auth-frame.tsx'
import { checkVerified, type Verification } from './check-verified.ts'
import { CodeForm } from './code-form.tsx'
import { useVerificationResend } from './resend-verification.tsx'

/** Instructions until the address is verified. */
export function VerifyEmailScreen({
  email,
  next = '/dashboard',
  password,
  onSignOut,
}: {
  email: string
  /** The path to open after the link in the email. */
  next?: string
  /** Of a sign-up on this page. */
  password?: string | undefined
  /** Replaces signing out where no one is signed in yet. */
  onSignOut?: () => void
}) {
  const navigate = useNavigate()
  const { resend, isSending, remainingSeconds } = useVerificationResend(email, next)
  const [isChecking, setChecking] = useState(false)
  const [result, setResult] = useState<Verification>()

  const check = async () => {
    setResult(undefined)
    setChecking(true)
    const checked = await checkVerified(email, password)
    if (checked.kind === 'verified') window.location.reload()
    setResult(checked)
    setChecking(false)
  }
  const leave = onSignOut ?? (() => signOut().then(() => navigate('/login', { replace: true })))

  return (
    <AuthFrame
      title="Verify Your Email"
      description={
        <>
          We sent a link to <Address>{email}</Address>.
        </>
      }
    >
      <ol className="flex flex-col gap-3">
        <Step number={1}>Open the email from Earshot. Check your spam folder too.</Step>
        <Step number={2}>Click the link in the email, ideally in this browser, or enter its code below.</Step>
        <Step number={3}>Return here to continue.</Step>
      </ol>
      <CodeForm email={email} type="email" onVerified={() => window.location.reload()} />
      <div className="flex flex-col gap-2">
        {result && <VerificationResult result={result} email={email} next={next} />}
        <Button variant="secondary" onClick={check} loading={isChecking}>
          I've Verified My Email
        </Button>
        <Button variant="secondary" onClick={resend} loading={isSending} disabled={remainingSeconds > 0}>
          Resend Verification Email
        </Button>
        <p className="min-h-5 text-center text-muted text-sm tabular-nums">
          {remainingSeconds > 0 && `You can resend in ${remainingSeconds} s.`}
        </p>
      </div>
      <div className="border-border border-t pt-4">
        <Button variant="ghost" size="sm" onClick={leave} className="-ml-3 text-muted">
          Sign Out
        </Button>
      </div>
    </AuthFrame>
  )
}

function VerificationResult({ result, email, next }: { result: Verification; email: string; next: string }) {
  if (result.kind === 'verified') return null
  return (
    <FormError>
      {result.kind === 'failed' && result.message}
      {result.kind === 'too_early' && 'Your email isn’t verified yet. Click the link in the email, or enter its code.'}
      {result.kind === 'elsewhere' && (
        <>
          Not verified in this browser. Click the link in the email, or enter its code. Already verified elsewhere?{' '}
          <TextLink to={addRedirect('/login', next)} state={{ email }} className="text-danger-text underline">
            Sign in
          </TextLink>
        </>
      )}
    </FormError>
  )
}

function Step({ number, children }: { number: number; children: string }) {
  return (
    <li className="flex gap-3 text-base">
      <span
        aria-hidden="true"
        className="flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-text text-xs"
      >
        {number}
      </span>
      {children}
    </li>
  )
}
