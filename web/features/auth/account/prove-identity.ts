import type { AuthError } from '@supabase/auth-js'
import { type AuthClient, getBackend, loadSupabaseClients } from '#web/lib/auth-client.ts'

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
  let client: Promise<AuthClient> | undefined
  const open = () => {
    client ??= openSecondClient()
    return client
  }
  const toProven = ({ data, error }: Awaited<ReturnType<AuthClient['verifyOtp']>>): Proven =>
    data.session ? { token: data.session.access_token } : { error }
  return {
    byPassword: async (email, password) => toProven(await (await open()).signInWithPassword({ email, password })),
    sendCode: async (email) => {
      const { error } = await (await open()).signInWithOtp({ email, options: { shouldCreateUser: false } })
      return error
    },
    byCode: async (email, code) => toProven(await (await open()).verifyOtp({ email, token: code, type: 'email' })),
    discard: async () => {
      await (await open()).signOut({ scope: 'local' })
    },
  }
}

async function openSecondClient(): Promise<AuthClient> {
  const { createUnstoredAuthClient } = await loadSupabaseClients()
  return createUnstoredAuthClient(getBackend())
}
