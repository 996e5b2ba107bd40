import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { Address, AuthFrame, FormError } from './auth-frame.tsx'
import { enterSessionLink, type SessionLink } from './session-link.ts'

/**
 * Asks before it signs in. A link with a code works only in the browser that requested it; this one works in any
 * browser, and must not silently sign a person in to another person's account.
 */
export function SessionLinkScreen({ link }: { link: SessionLink }) {
  const session = useSession()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string>()
  const [isEntering, setEntering] = useState(false)
  const currentEmail = session.status === 'signed_in' ? (session.user.email ?? '') : undefined
  const isSwitch = currentEmail !== undefined && currentEmail !== link.email

  // Removed from the address bar and the history, so that it can't be copied from there.
  useEffect(() => {
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', `${pathname}${search}`)
  }, [])

  const enter = async () => {
    setFailure(undefined)
    setEntering(true)
    const attempt = startAuthAttempt('callback')
    const error = await enterSessionLink(await loadAuthClient(), link)
    if (!error) {
      attempt.succeed()
      navigate(link.next, { replace: true })
      return
    }
    attempt.fail(error)
    setFailure(describeAuthError(error))
    setEntering(false)
  }
  return (
    <AuthFrame
      title="Sign in with this link"
      description={
        link.email === '' ? (
          'It works in any browser.'
        ) : (
          <>
            It signs you in as <Address>{link.email}</Address>.
          </>
        )
      }
    >
      {isSwitch && (
        <p className="text-base">
          You are signed in as <Address>{currentEmail}</Address>: signing in will switch accounts.
        </p>
      )}
      {failure !== undefined && <FormError>{failure}</FormError>}
      <div className="flex flex-col gap-2">
        <Button loading={isEntering} disabled={session.status === 'loading'} onClick={enter}>
          Sign in
        </Button>
        <Button asChild variant="secondary">
          <Link to={currentEmail === undefined ? '/login' : '/dashboard'} replace>
            Cancel
          </Link>
        </Button>
      </div>
    </AuthFrame>
  )
}
