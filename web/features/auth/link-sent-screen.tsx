import { useLocation } from 'react-router'
import { useConfig } from '#web/lib/config.tsx'
import { Address, TextLink } from './auth-frame.tsx'
import { sendMagicLink } from './auth-mails.ts'
import { CheckInboxScreen } from './check-inbox-screen.tsx'
import { useCooldown } from './cooldown.ts'

/** A sign-in link was emailed. After signing in by it or its code, the login screen navigates on. */
export function LinkSentScreen({ email, next }: { email: string; next: string }) {
  const { appUrl } = useConfig()
  const { search } = useLocation()
  const cooldown = useCooldown('magicLinkSentAt')
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
      onResend={() => cooldown.send(() => sendMagicLink(email, { appUrl, next }))}
      footer={
        <TextLink to={{ pathname: '/login', search }} state={{ email }}>
          Back to sign in
        </TextLink>
      }
    />
  )
}
