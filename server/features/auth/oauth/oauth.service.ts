import { v4 as uuidV4 } from 'uuid'
import { isUuid } from '#contract/uuid.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import type { AuthParts } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { beginSession, type SessionGrant } from '../sessions/session.service.ts'
import {
  finishProviderFlow,
  insertProviderFlow,
  type ProviderFlow,
  providerMethod,
  takeProviderFlow,
} from '../sign-in/flow-states.queries.ts'
import { type ProviderTokens, sealProviderTokens } from '../sign-in/provider-tokens.ts'
import type { Profile } from './profile.ts'
import { admitProviderUser } from './provider-accounts.ts'

type OpenFlow = Extract<ProviderFlow, { state: 'open' }>

/** Stores the flow of a browser that leaves for the provider. It returns with `id` as its `state`. */
export async function beginProviderFlow(
  { database }: Pick<AuthParts, 'database'>,
  flow: Parameters<typeof insertProviderFlow>[1],
): Promise<void> {
  await database.asAuthAdmin('beginning of a sign-in with a provider', (tx) => insertProviderFlow(tx, flow))
}

/**
 * Takes the flow of a returning browser; each works once.
 *
 * @throws AuthError `bad_oauth_callback`, `bad_oauth_state` or `flow_state_already_used`.
 */
export async function resumeProviderFlow({ database }: Pick<AuthParts, 'database'>, state: string): Promise<OpenFlow> {
  if (state === '') throw new AuthError('bad_oauth_callback')
  if (!isUuid(state)) throw new AuthError('bad_oauth_state', { message: 'OAuth state is invalid' })
  const flow = await database.asAuthAdmin('end of a sign-in with a provider', (tx) => takeProviderFlow(tx, state))
  if (flow.state === 'open') return flow
  if (flow.state === 'used') throw new AuthError('flow_state_already_used')
  throw new AuthError('bad_oauth_state', flow.state === 'expired' ? { message: 'OAuth state has expired' } : {})
}

/** The result for the browser: a code for the holder of the verifier or, without PKCE, the session itself. */
type SignedIn = { readonly code: string } | { readonly grant: SessionGrant }

/**
 * Signs in the provider's person.
 *
 * @throws AuthError for every refusal of {@link admitProviderUser}.
 */
export async function signInProviderUser(
  parts: AuthParts,
  signIn: {
    state: string
    flow: OpenFlow
    provider: string
    profile: Profile
    tokens: ProviderTokens
    client: Client
  },
): Promise<SignedIn> {
  const { state, flow, provider, profile, tokens, client } = signIn
  const { challenge } = flow
  const outcome = await parts.database.asAuthAdmin('sign-in with a provider', async (tx) => {
    const admission = await admitProviderUser(parts, tx, { ...flow, provider, profile, client })
    if ('refused' in admission) return admission
    const { userId } = admission
    if (!challenge) return { grant: await beginSession(tx, { userId, method: providerMethod, client }) }
    const code = uuidV4()
    await finishProviderFlow(tx, { id: state, userId, code, sealedProviderTokens: sealProviderTokens(tokens, code) })
    return { code }
  })
  if ('refused' in outcome) throw outcome.refused
  return outcome
}
