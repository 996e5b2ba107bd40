import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useConfig } from '#web/lib/config.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { findPendingEmail, resendVerification, resendVerificationAndTell } from './auth-mails.ts'
import { useCooldown } from './cooldown.ts'

/** Another verification mail for somebody whose sign-in failed for want of it. */
export function ResendVerificationLink({ email, next }: { email: string; next: string }) {
  const { appUrl } = useConfig()
  const cooldown = useCooldown('verificationSentAt')
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    cooldown.start()
    if (!(await resendVerificationAndTell(email, { appUrl, next }))) cooldown.clear()
    setSending(false)
  }
  return (
    <Button
      variant="link"
      loading={isSending}
      disabled={cooldown.remainingSeconds > 0}
      onClick={send}
      className="mt-1 font-medium text-danger-text underline underline-offset-4"
    >
      Resend Verification Email
    </Button>
  )
}

/** What "Resend Email" on the toast about an expired link does. */
export function useResendFromToast(): () => Promise<void> {
  const { appUrl } = useConfig()
  const navigate = useNavigate()
  const cooldown = useCooldown('verificationSentAt')
  return async () => {
    const email = findPendingEmail()
    if (email === undefined) {
      navigate('/register')
      return
    }
    if (cooldown.remainingSeconds > 0) {
      toast({
        title: 'Email Sent',
        description: 'A mail is on its way already. Please check your inbox and spam folder.',
      })
      return
    }
    cooldown.start()
    try {
      await resendVerification(email, { appUrl })
      toast({
        title: 'Email Sent',
        description: 'Please check your inbox and spam folder for the verification link.',
        tone: 'success',
      })
    } catch {
      cooldown.clear()
      toast({
        title: 'Error',
        description: 'Failed to resend confirmation email. Please try signing up again.',
        tone: 'danger',
      })
    }
  }
}
