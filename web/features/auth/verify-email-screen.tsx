import { useState } from 'react'
import { useNavigate } from 'react-router'
import { renewSession } from '#web/lib/auth-client.ts'
import { useConfig } from '#web/lib/config.tsx'
import { addRedirect } from '#web/lib/redirect.ts'
import { signOut } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Address, AuthFrame } from './auth-frame.tsx'
import { resendVerificationAndTell } from './auth-mails.ts'
import { useCooldown } from './cooldown.ts'

/** What to do until the address is verified. */
export function VerifyEmailScreen({
  email,
  next = '/dashboard',
  onSignOut,
}: {
  email: string
  /** Where the link in the mail leads on to. */
  next?: string
  /** In place of signing out, where nobody is signed in yet. */
  onSignOut?: () => void
}) {
  const { appUrl } = useConfig()
  const navigate = useNavigate()
  const cooldown = useCooldown('verificationSentAt')
  const [isChecking, setChecking] = useState(false)
  const [isSending, setSending] = useState(false)

  const check = async () => {
    setChecking(true)
    const session = await renewSession().catch(() => undefined)
    // The link may have been opened in another browser: then there is no session here, and signing in works now.
    if (session) window.location.reload()
    else navigate(addRedirect('/login', next), { state: { email } })
  }
  const resend = async () => {
    if (email === '' || cooldown.remainingSeconds > 0) return
    setSending(true)
    cooldown.start()
    if (!(await resendVerificationAndTell(email, { appUrl, next }))) cooldown.clear()
    setSending(false)
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
        <Step number={1}>Open the mail from Earshot. It may be in your spam folder.</Step>
        <Step number={2}>Press the link in it, best on this device and in this browser.</Step>
        <Step number={3}>Come back here and go on.</Step>
      </ol>
      <div className="flex flex-col gap-2">
        <Button onClick={check} loading={isChecking}>
          I've Verified My Email
        </Button>
        <Button variant="secondary" onClick={resend} loading={isSending} disabled={cooldown.remainingSeconds > 0}>
          Resend Verification Email
        </Button>
        <p className="min-h-5 text-center text-muted text-sm tabular-nums">
          {cooldown.remainingSeconds > 0 && `You can ask for another mail in ${cooldown.remainingSeconds} s.`}
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
