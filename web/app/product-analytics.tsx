import { useEffect, useRef } from 'react'
import { type AuthAttemptEvent, authAttemptEventName } from '../features/auth/auth-attempt-event.ts'
import { captureEvent, forgetPerson, groupByOrganization, identifyPerson } from '../lib/analytics.ts'
import { useOrganization } from '../lib/organization.tsx'
import { useSession } from '../lib/session.tsx'
import { describeAttempt } from './describe-attempt.ts'

/** Tells product analytics who is signed in, and how they came and went. */
export function FollowSession() {
  const session = useSession()
  const { status } = session
  const userId = status === 'signed_in' ? session.user.id : undefined
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (userId !== undefined) {
      identifyPerson(userId)
      wasSignedIn.current = true
    } else if (status === 'signed_out') {
      if (wasSignedIn.current) captureEvent('user_logged_out')
      wasSignedIn.current = false
      forgetPerson()
    }
  }, [status, userId])

  useEffect(() => {
    const follow = (event: Event) => {
      // auth-attempt.ts dispatches it with this detail.
      const told = describeAttempt((event as CustomEvent<AuthAttemptEvent>).detail)
      if (told) captureEvent(...told)
    }
    window.addEventListener(authAttemptEventName, follow)
    return () => window.removeEventListener(authAttemptEventName, follow)
  }, [])
  return null
}

/** Reports the current organisation and its plan to product analytics. */
export function FollowOrganization() {
  const { id, subscriptionPlanId, subscriptionStatus } = useOrganization().organization
  useEffect(() => {
    groupByOrganization({ id, subscriptionPlan: subscriptionPlanId, subscriptionStatus })
  }, [id, subscriptionPlanId, subscriptionStatus])
  return null
}
