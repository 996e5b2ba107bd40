import { createHash } from 'node:crypto'
import { isUuid } from '#contract/uuid.ts'
import { actFor } from '#server/platform/database/actor.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import type { Caller } from '#server/platform/http/guard.ts'
import { isResource } from './connections.service.ts'
import {
  findClient,
  findTokenHolder,
  findTokenOwner,
  insertTokens,
  lockRefreshToken,
  markTokenUsed,
  noteUse,
  revokeGrant,
  type SecretOwner,
  useCode,
} from './oauth.queries.ts'
import { OAuthError } from './oauth-error.ts'
import { hashSecret, makeSecret } from './secret-text.ts'

/** RFC 6749, section 5.1. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** The person in whose name an app calls, as guards know callers. */
export interface AgentHolder {
  readonly caller: Caller
  readonly organizationId: string
  readonly mayWrite: boolean
}

export interface OAuthTokens {
  /** @throws OAuthError. A code that was used before revokes what it gave. */
  exchangeCode(form: Readonly<Record<string, string | undefined>>): Promise<TokenAnswer>
  /** @throws OAuthError. A refresh token that was used a while ago revokes its connection: someone has a copy. */
  refresh(form: Readonly<Record<string, string | undefined>>): Promise<TokenAnswer>
  /** Disconnects the app that has the token (RFC 7009). An unknown token is as good as revoked. */
  revoke(token: string): Promise<void>
  /** Undefined: the token opens nothing, or nothing any more. */
  findHolder(token: string): Promise<AgentHolder | undefined>
}

const accessSeconds = 3600
const refreshSeconds = 30 * 86_400
/** The answer to a refresh can be lost, and the parts of one app refresh at once: for so long, the same token works again. */
const refreshGraceSeconds = 30
/** How stale the time of the last use may be. */
const useMs = 300_000

export function createOAuthTokens(database: Database, appUrl: string): OAuthTokens {
  // A refusal is returned, not thrown: what it revokes must be committed.
  const exchange = async (act: (tx: SystemTx) => Promise<TokenAnswer | OAuthError>) => {
    const answer = await database.asSystem('a token is exchanged before anyone is known', act)
    if (answer instanceof OAuthError) throw answer
    return answer
  }

  return {
    exchangeCode: ({ code = '', client_id, redirect_uri, code_verifier = '', resource }) => {
      if (!isResource(resource, appUrl)) throw new OAuthError('invalid_target', 'This server has no such resource.')
      return exchange(async (tx) => {
        const owner = await useCode(tx, hashSecret(code))
        if (!owner || owner.isExpired) return refuseUnknown(tx, client_id, 'This code is unknown or has expired.')
        if (owner.isUsed) return revokeAndRefuse(tx, owner, 'This code was used before.')
        if (owner.isEnded) return refuse('This connection has ended.')
        const isOwn =
          client_id?.toLowerCase() === owner.clientId &&
          redirect_uri === owner.redirectUri &&
          toChallenge(code_verifier) === owner.codeChallenge
        // The code is used up: its second try would be refused as a copy.
        if (!isOwn) return revokeAndRefuse(tx, owner, 'This code belongs to another request.')
        return giveTokens(tx, owner)
      })
    },

    refresh: ({ refresh_token: text = '', client_id, resource }) => {
      if (!isResource(resource, appUrl)) throw new OAuthError('invalid_target', 'This server has no such resource.')
      return exchange(async (tx) => {
        const hash = hashSecret(text)
        const owner = await lockRefreshToken(tx, hash, refreshGraceSeconds)
        if (!owner || owner.isExpired || client_id?.toLowerCase() !== owner.clientId)
          return refuseUnknown(tx, client_id, 'This refresh token is unknown or has expired.')
        if (owner.isCopy) return revokeAndRefuse(tx, owner, 'This refresh token was used before.')
        if (owner.isEnded) return refuse('This connection has ended.')
        await markTokenUsed(tx, hash)
        return giveTokens(tx, owner)
      })
    },

    revoke: (text) =>
      database.asSystem('an app revokes its own token', async (tx) => {
        const owner = await findTokenOwner(tx, hashSecret(text))
        if (owner) await disconnect(tx, owner, 'app')
      }),

    findHolder: async (text) => {
      if (!/^esa_[0-9a-f]{64}$/.test(text)) return undefined
      const holder = await findTokenHolder(database, hashSecret(text))
      if (!holder) return undefined
      const { organizationId, userId, role, clientName, scopes, lastUsedAt } = holder
      if (lastUsedAt === null || lastUsedAt.getTime() < Date.now() - useMs)
        await database.asSystem('the use of a connection is noted', (tx) => noteUse(tx, holder))
      const actor = actFor(userId, organizationId)
      return {
        // Superadmins act as members of the organisation that they chose, and as no more.
        caller: { actor, role, isSuperadmin: false, agent: clientName },
        organizationId,
        mayWrite: scopes.includes('write'),
      }
    },
  }
}

const refuse = (description: string) => new OAuthError('invalid_grant', description)

/** An app that is not registered, or not any more, registers again when it learns that. */
async function refuseUnknown(tx: SystemTx, clientId: string | undefined, description: string): Promise<OAuthError> {
  const id = clientId?.toLowerCase() ?? ''
  if (isUuid(id) && (await findClient(tx, id))) return refuse(description)
  return new OAuthError('invalid_client', 'This app is not registered here.', 401)
}

async function revokeAndRefuse(tx: SystemTx, owner: SecretOwner, description: string): Promise<OAuthError> {
  await disconnect(tx, owner, 'reuse')
  return refuse(description)
}

async function disconnect(tx: SystemTx, owner: SecretOwner, cause: 'app' | 'reuse'): Promise<void> {
  if (!(await revokeGrant(tx, owner))) return
  const { organizationId, grantId, clientName: name } = owner
  const event = { organizationId, name: 'connected_app.disconnected', ids: [grantId] } as const
  await recordEvent(tx, { ...event, payload: { name, cause }, announced: 'never' })
}

async function giveTokens(tx: SystemTx, owner: SecretOwner): Promise<TokenAnswer> {
  const [access, refresh] = [makeSecret('a'), makeSecret('r')]
  await insertTokens(tx, owner, [
    { kind: 'access', hash: hashSecret(access), seconds: accessSeconds },
    { kind: 'refresh', hash: hashSecret(refresh), seconds: refreshSeconds },
  ])
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: owner.scopes.join(' '),
  }
}

/** RFC 7636, section 4.2. */
function toChallenge(verifier: string): string {
  return /^[\w.~-]{43,128}$/.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : ''
}
