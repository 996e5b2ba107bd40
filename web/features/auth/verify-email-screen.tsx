import { useState } from 'react'
import { useNavigate } from 'react-router'
import { renewSession } from '#web/lib/auth-client.ts'
import { addRedirect } from '#web/lib/redirect.ts'
import { signOut } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Address, AuthFrame } from './auth-frame.tsx'
import { useVerificationResend } from './resend-verification.tsx'

/** Instructions until the address is verified. */
export function VerifyEmailScreen({
  email,
  next = '/dashboard',
  onSignOut,
}: {
  email: string
  /** The path to open after the link in the email. */
  next?: string
  /** Replaces signing out where no one is signed in yet. */
  onSignOut?: () => void
}) {
  const navigate = useNavigate()
  const { resend, isSending, remainingSeconds } = useVerificationResend(email, next)
  const [isChecking, setChecking] = useState(false)

  const check = async () => {
    setChecking(true)
    const session = await renewSession().catch(() => undefined)
    // The link may have been opened in another browser: no session here, but signing in works now.
    if (session) window.location.reload()
    else navigate(addRedirect('/login', next), { state: { email } })
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
        <Step number={2}>Click the link in the email, ideally in this browser.</Step>
        <Step number={3}>Return here to continue.</Step>
      </ol>
      <div className="flex flex-col gap-2">
        <Button onClick={check} loading={isChecking}>
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
