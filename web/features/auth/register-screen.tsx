import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { useHydrated } from '#web/lib/hydrated.ts'
import { readRedirect } from '#web/lib/redirect.ts'
import { useSession } from '#web/lib/session.tsx'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { AuthSpinner } from './auth-frame.tsx'
import { startCooldown } from './cooldown.ts'
import { buildInvitationPath, findInvitationToken } from './invitation-path.ts'
import { useInvitation } from './invitation-query.ts'
import { RegisterFormScreen } from './register-form-screen.tsx'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

/**
 * Sign-up: a person with a new organisation, or a person invited to one. Afterwards, until the address is verified, the
 * verification instructions.
 */
export function RegisterScreen() {
  const session = useSession()
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const redirect = readRedirect(`?${query}`)
  const token = query.get('invitation') ?? findInvitationToken(redirect)
  const invitation = useInvitation(token)
  const next = token === undefined ? redirect : buildInvitationPath(token)
  // In memory only, for the check after a verification on another device.
  const [password, setPassword] = useState<string>()
  const pendingEmail = hydrated ? readStored(storageKeys.pendingEmailVerification) : null

  if (session.status === 'signed_in') return <Navigate to={next} replace />
  if (query.has('verify') && pendingEmail) {
    const leave = () => {
      removeStored(storageKeys.pendingEmailVerification)
      navigate('/login')
    }
    return <VerifyEmailScreen email={pendingEmail} next={next} password={password} onSignOut={leave} />
  }
  // The invitation's own screen explains what is wrong with it.
  const isOpen = invitation.data?.state === 'open'
  if (token !== undefined && !isOpen) {
    return invitation.isPending ? <AuthSpinner documentTitle="Create your account" /> : <Navigate to={next} replace />
  }
  const showVerification = (email: string, chosen: string) => {
    setPassword(chosen)
    writeStored(storageKeys.pendingEmailVerification, email)
    startCooldown('verificationSentAt')
    setQuery((previous) => {
      previous.set('verify', '')
      return previous
    })
  }
  return (
    <RegisterFormScreen
      next={next}
      onSent={showVerification}
      {...(token !== undefined && invitation.data && { invitation: { ...invitation.data, token } })}
    />
  )
}
