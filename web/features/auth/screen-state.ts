import { useLocation } from 'react-router'
import { useHydrated } from '#web/lib/hydrated.ts'

/**
 * State that the sign-in screens keep in the browser's history beside the URL: Back returns to the form, a reload (a
 * phone drops the page while its owner reads the email) keeps the state, and no email address ends up in a URL that is
 * logged or shared.
 */
export interface ScreenState {
  /** Fills in the form. */
  readonly email?: string
  /** An email was sent to this address. */
  readonly sentTo?: string
  /** `email` is fixed: the invitation is for this address. */
  readonly isEmailFixed?: boolean
}

/** The state of this history entry; empty on the server and until hydration. */
export function useScreenState(): ScreenState {
  const state: unknown = useLocation().state
  const hydrated = useHydrated()
  if (!hydrated || typeof state !== 'object' || state === null) return {}
  // Narrowed to an object; each value is unknown.
  const { email, sentTo, isEmailFixed } = state as Record<string, unknown>
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof sentTo === 'string' && { sentTo }),
    ...(isEmailFixed === true && { isEmailFixed }),
  }
}
