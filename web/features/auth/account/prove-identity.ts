import { type AuthError, AuthClient as SupabaseAuthClient } from '@supabase/auth-js'
import { type AuthClient, getBackend } from '#web/lib/auth-client.ts'

/** A second sign-in beside the page's session: it proves who sits at the device, and is stored nowhere. */
export interface IdentityProof {
  /** @returns the access token of the new sign-in. */
  byPassword(email: string, password: string): Promise<Proven>
  /** Emails a code. @returns the error, null on success. */
  sendCode(email: string): Promise<AuthError | null>
  /** @returns the access token of the new sign-in. */
  byCode(email: string, code: string): Promise<Proven>
  /** Ends the second sign-in, when the deletion did not. */
  discard(): Promise<void>
}

type Proven = { readonly token: string } | { readonly error: AuthError | null }

export function createIdentityProof(): IdentityProof {
  const auth = openSecondClient()
  const toProven = ({ data, error }: Awaited<ReturnType<AuthClient['verifyOtp']>>): Proven =>
    data.session ? { token: data.session.access_token } : { error }
  return {
    byPassword: async (email, password) => toProven(await auth.signInWithPassword({ email, password })),
    sendCode: async (email) => {
      const { error } = await auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
      return error
    },
    byCode: async (email, code) => toProven(await auth.verifyOtp({ email, token: code, type: 'email' })),
    discard: async () => {
      await auth.signOut({ scope: 'local' })
    },
  }
}

function openSecondClient(): AuthClient {
  const { url, anonKey } = getBackend()
  const kept = new Map<string, string>()
  return new SupabaseAuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}` },
    // A key of its own: clients with one key announce their sessions to each other.
    storageKey: 'earshot-proof',
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    flowType: 'implicit',
    persistSession: true,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
}
