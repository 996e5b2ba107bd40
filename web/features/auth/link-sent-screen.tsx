import { useLocation } from 'react-router'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { Address, TextLink } from './auth-frame.tsx'
import { sendMagicLink } from './auth-mails.ts'
import { CheckInboxScreen } from './check-inbox-screen.tsx'
import { useCooldown } from './cooldown.ts'

/** A sign-in link is on its way. Whoever is signed in by it or by its code is led on by the login screen. */
export function LinkSentScreen({ email, next }: { email: string; next: string }) {
  const { appUrl } = useConfig()
  const { search } = useLocation()
  const cooldown = useCooldown('magicLinkSentAt')
  const resend = async () => {
    cooldown.start()
    try {
      await sendMagicLink(email, { appUrl, next })
      return undefined
    } catch (error) {
      cooldown.clear()
      return describeAuthError(error)
    }
  }
  return (
    <CheckInboxScreen
      email={email}
      codeType="email"
      description={
        <>
          We sent a sign-in link to <Address>{email}</Address>. Open it in this browser, or enter the code below.
        </>
      }
      secondsUntilResend={cooldown.remainingSeconds}
      onResend={resend}
      footer={
        <TextLink to={{ pathname: '/login', search }} state={{ email }}>
          Back to sign in
        </TextLink>
      }
    />
  )
}
