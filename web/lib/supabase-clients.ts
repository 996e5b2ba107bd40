/*
 * Supabase's own clients for sign-in and database functions, 22 kB of a page's code. Loaded once the page is idle or
 * needs them: with a stored session and early calls, no screen waits for them.
 */
import { AuthClient as SupabaseAuthClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Backend } from './config.tsx'
import { sessionStore, storageKeys } from './storage.ts'

export { isAuthRetryableFetchError } from '@supabase/auth-js'

export type AuthClient = InstanceType<typeof SupabaseAuthClient>

/** The client of the page's session. */
export function createAuthClient(backend: Backend): AuthClient {
  return new SupabaseAuthClient({
    ...describeServer(backend),
    storageKey: storageKeys.session,
    storage: sessionStore,
    flowType: 'pkce',
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
  })
}

/** A client beside it, whose session is stored nowhere. */
export function createUnstoredAuthClient(backend: Backend): AuthClient {
  const kept = new Map<string, string>()
  return new SupabaseAuthClient({
    ...describeServer(backend),
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

function describeServer({ url, anonKey }: Backend) {
  return { url: `${url}/auth/v1`, headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}` } }
}

export function createRpcClient({ url, anonKey }: Backend, send: typeof fetch): PostgrestClient {
  return new PostgrestClient(`${url}/rest/v1`, { headers: { apikey: anonKey }, fetch: send })
}
