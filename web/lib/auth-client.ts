import { type Session, AuthClient as SupabaseAuthClient } from '@supabase/auth-js'
import type { PublicConfig } from '#contract/config.ts'
import { sessionStore, storageKeys } from './storage.ts'

export type AuthClient = InstanceType<typeof SupabaseAuthClient>

/** The auth server's address and public key, as far as they are configured. */
export interface Backend {
  readonly url: string
  readonly anonKey: string
}

/** The backend of this instance, or the names of the settings that are missing. */
export function readBackend(config: PublicConfig): Backend | { readonly missing: readonly string[] } {
  const { supabaseUrl, supabaseAnonKey } = config
  if (supabaseUrl && supabaseAnonKey) return { url: supabaseUrl.replace(/\/+$/, ''), anonKey: supabaseAnonKey }
  return {
    missing: [...(supabaseUrl ? [] : ['SUPABASE_URL']), ...(supabaseAnonKey ? [] : ['SUPABASE_ANON_KEY'])],
  }
}

let client: { readonly backend: Backend; readonly auth: AuthClient } | undefined

/**
 * Creates the one auth client of this page; later calls answer the same. Two clients on one storage would refresh
 * against each other.
 */
export function openAuthClient(backend: Backend): AuthClient {
  client ??= {
    backend,
    auth: new SupabaseAuthClient({
      url: `${backend.url}/auth/v1`,
      headers: { apikey: backend.anonKey, Authorization: `Bearer ${backend.anonKey}` },
      storageKey: storageKeys.session,
      storage: sessionStore,
      flowType: 'pkce',
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: true,
    }),
  }
  return client.auth
}

/** The auth client. @throws Error before {@link openAuthClient} was called, i.e. outside signed-in and auth screens. */
export function getAuthClient(): AuthClient {
  return getOpenClient().auth
}

export function getBackend(): Backend {
  return getOpenClient().backend
}

function getOpenClient() {
  if (!client) throw new Error('The auth client is used before it was opened')
  return client
}

/** The current access token, refreshed first if it is about to expire; undefined when nobody is signed in. */
export async function findAccessToken(): Promise<string | undefined> {
  const { data } = await getAuthClient().getSession()
  return data.session?.access_token
}

/** Asks for a new session whatever the age of the old one. Undefined when that is refused. */
export async function renewSession(): Promise<Session | undefined> {
  const { data } = await getAuthClient().refreshSession()
  return data.session ?? undefined
}
