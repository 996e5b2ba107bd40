import { useNavigate } from 'react-router'
import { useConfig } from '#web/lib/config.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { findPendingEmail, resendVerification } from './auth-mails.ts'
import { useCooldown } from './cooldown.ts'

/** Resends the verification email, at most once in 60 s, with a toast for the result. */
export function useVerificationResend(email: string, next: string) {
  const { appUrl } = useConfig()
  const { send, isSending, remainingSeconds } = useCooldown('verificationSentAt')
  const resend = async () => {
    if (email === '' || remainingSeconds > 0) return
    const failure = await send(() => resendVerification(email, { appUrl, next }))
    if (failure !== undefined) toast({ title: 'Failed to Resend Email', description: failure, tone: 'danger' })
    else {
      toast({
        title: 'Verification Email Sent',
        description: 'Please check your inbox and spam folder for the verification link.',
        tone: 'success',
      })
    }
  }
  return { resend, isSending, remainingSeconds }
}

/** Resends the verification email to a person whose sign-in failed because their address is unverified. */
export function ResendVerificationLink({ email, next }: { email: string; next: string }) {
  const { resend, isSending, remainingSeconds } = useVerificationResend(email, next)
  return (
    <Button
      variant="link"
      loading={isSending}
      disabled={remainingSeconds > 0}
      onClick={resend}
      className="mt-1 font-medium text-danger-text underline underline-offset-4"
    >
      Resend Verification Email
    </Button>
  )
}

/** The action of "Resend Email" on the toast about an expired link. */
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
        description: 'An email was just sent. Please check your inbox and spam folder.',
      })
      return
    }
    const failure = await cooldown.send(() => resendVerification(email, { appUrl }))
    if (failure === undefined) {
      toast({
        title: 'Email Sent',
        description: 'Please check your inbox and spam folder for the verification link.',
        tone: 'success',
      })
    } else {
      toast({
        title: 'Error',
        description: 'Failed to resend confirmation email. Please try signing up again.',
        tone: 'danger',
      })
    }
  }
}
