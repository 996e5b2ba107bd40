/*
 * Stands in for supabase-clients.ts in a tab that acts as someone else: its token is none of the auth server's, and must
 * neither be sent there nor be refreshed. Nothing here touches the session in local storage, which is the superadmin's.
 */
import type { Session, User } from '@supabase/auth-js'
import { getImpersonation, type PresentImpersonation } from '#contract/impersonations.ts'
import {
  askAs,
  checkEnd,
  endOnServer,
  impersonationRefusedEvent,
  leaveImpersonation,
  readImpersonation,
} from './impersonation.ts'

const refusal = 'This can’t be done while you impersonate someone.'

/** Whatever fails here says nothing about the session: it is kept. */
export const isAuthRetryableFetchError = () => true

export function createAuthClient() {
  const session = makeSession()
  const known: Record<string, unknown> = {
    initialize: async () => ({ error: null }),
    getSession: async () => ({ data: { session }, error: null }),
    getUser: async () => ({ data: { user: session?.user ?? null }, error: null }),
    onAuthStateChange: () => ({ data: { subscription: { unsubscribe: () => undefined } } }),
    startAutoRefresh: async () => undefined,
    stopAutoRefresh: async () => undefined,
    // Asked for after a 401: whether it is over, the server knows.
    refreshSession: async () => {
      if (session) await checkEnd(session.access_token)
      return { data: { session: null, user: null }, error: new Error('An impersonation is not renewed') }
    },
    signOut: async ({ scope = 'local' }: { scope?: string } = {}) => {
      if (scope !== 'local') return refuse()
      if (session) await endOnServer(session.access_token)
      leaveImpersonation()
      return { error: null }
    },
    updateUser: async ({ data }: { data?: object } = {}) => refuse(data !== undefined && 'tours_seen' in data),
  }
  return new Proxy(known, {
    // A promise asks what it resolves to for `then`.
    get: (methods, name) => (name === 'then' ? undefined : (methods[String(name)] ?? (async () => refuse()))),
  })
}

/** An account's security is its owner's: what would change it is refused. */
export const createUnstoredAuthClient = createAuthClient

function refuse(isQuiet = false) {
  if (!isQuiet) window.dispatchEvent(new Event(impersonationRefusedEvent))
  return { data: { user: null, session: null }, error: Object.assign(new Error(refusal), { status: 403 }) }
}

function makeSession(): Session | null {
  const stored = readImpersonation()
  if (!stored) return null
  const { token, present, endsAtMs } = stored
  const { id, email } = present.user
  const user: User = {
    ...{ id, email, aud: 'authenticated', role: 'authenticated', created_at: '' },
    email_confirmed_at: new Date(0).toISOString(),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: present.userMetadata,
    identities: [],
  }
  const expiresAt = Math.floor(endsAtMs / 1000)
  const expires_in = Math.max(0, expiresAt - Math.floor(Date.now() / 1000))
  return { access_token: token, refresh_token: '', token_type: 'bearer', expires_at: expiresAt, expires_in, user }
}

/** Answers the functions by which the dashboard finds its organisation from our own API. */
export function createRpcClient() {
  return {
    rpc: (name: string, { p_org_id: organizationId }: Readonly<Record<string, string>>) => ({
      abortSignal: async (signal: AbortSignal) => {
        // No superadmin can be impersonated.
        if (name === 'is_superadmin') return { data: false, error: null, status: 200 }
        const token = readImpersonation()?.token ?? ''
        const query = organizationId === undefined ? '' : `?${new URLSearchParams({ organizationId })}`
        const response = await askAs(token, getImpersonation, { query, signal })
        const { status } = response
        if (!response.ok) return { data: null, error: { message: response.statusText }, status }
        // As the contract says.
        const { organization } = (await response.json()) as PresentImpersonation
        return { data: organization ? [organization] : [], error: null, status }
      },
    }),
  }
}
