import { useLocation } from 'react-router'
import { useHydrated } from '#web/lib/hydrated.ts'

/**
 * What a screen of getting in keeps in the browser's history beside its address: Back leads to the form again, a
 * reload (a phone drops the page while its owner reads the mail) keeps the state, and no address of a person ends up
 * in an address that is logged or shared.
 */
export interface ScreenState {
  /** Fills in the form. */
  readonly email?: string
  /** A mail went to this address. */
  readonly sentTo?: string
  /** `email` may not be changed: somebody invited this address. */
  readonly isEmailFixed?: boolean
}

/** The state of this entry of the history; empty on the server and until the page has come alive. */
export function useScreenState(): ScreenState {
  const state: unknown = useLocation().state
  const hydrated = useHydrated()
  if (!hydrated || typeof state !== 'object' || state === null) return {}
  const { email, sentTo, isEmailFixed } = state as Record<string, unknown>
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof sentTo === 'string' && { sentTo }),
    ...(isEmailFixed === true && { isEmailFixed }),
  }
}
