import { v7 as uuidV7 } from 'uuid'
import type { ConnectedApp, ConnectionRequest, NewConnection } from '#contract/connected-apps.ts'
import { keyScopes } from '#contract/key-scope.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findClient, insertCode, insertGrant, listApps, type OAuthClient, revokeOwnGrant } from './oauth.queries.ts'
import { addToQuery, describeRedirect, isRegistered } from './redirect-uri.ts'
import { hashSecret, makeSecret } from './secret-text.ts'

/** Who asks to be connected. */
interface ConnectionDescription {
  readonly appName: string
  readonly redirectHost: string
  readonly isLocal: boolean
  readonly refusal: string | null
  readonly cancelTo: string
}

/** What people do about connected apps. */
export interface Connections {
  /** @throws ProductError `connection_request_invalid` for an unknown app or address: nothing may be sent there. */
  describe(request: ConnectionRequest): Promise<ConnectionDescription>
  /**
   * Connects an app in the caller's name.
   *
   * @returns the address that leads back to the app, with a code.
   * @throws ProductError `connection_request_invalid`, `organization_not_found` when the caller is no member.
   */
  connect(actor: Actor, connection: NewConnection): Promise<string>
  list(actor: Actor): Promise<ConnectedApp[]>
  /** @throws ProductError `connected_app_not_found`. */
  disconnect(actor: Actor, id: string): Promise<void>
}

/** Apps exchange a code at once; people may be on a slow line. */
const codeMs = 120_000

interface CheckedRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly codeChallenge: string
  /** Undefined: the request can be granted. */
  readonly refusal: { readonly error: string; readonly description: string } | undefined
}

export function createConnections(database: Database, appUrl: string): Connections {
  async function check(request: ConnectionRequest): Promise<CheckedRequest> {
    const { client_id: clientId = '', redirect_uri: redirectUri = '', code_challenge: codeChallenge = '' } = request
    const id = clientId.toLowerCase()
    const client = isUuid(id)
      ? await database.asSystem('an app is known before its organisation is', (tx) => findClient(tx, id))
      : undefined
    if (!client) throw new ProductError('connection_request_invalid', { detail: 'This app is not registered here.' })
    if (!isRegistered(client.redirectUris, redirectUri)) {
      throw new ProductError('connection_request_invalid', { detail: 'The app did not register its return address.' })
    }
    return { client, redirectUri, codeChallenge, refusal: findRefusal(request, appUrl) }
  }
  /** RFC 9207: an app that talks to several servers learns which one answers. */
  const answerTo = (redirectUri: string, answer: Readonly<Record<string, string | undefined>>) =>
    addToQuery(redirectUri, { ...answer, iss: appUrl })

  return {
    describe: async (request) => {
      const { client, redirectUri, refusal } = await check(request)
      const { host: redirectHost, isLocal } = describeRedirect(redirectUri)
      const { error, description: error_description } = refusal ?? {
        error: 'access_denied',
        description: 'The person refused.',
      }
      return {
        appName: client.name,
        redirectHost,
        isLocal,
        refusal: refusal?.description ?? null,
        cancelTo: answerTo(redirectUri, { error, error_description, state: request.state }),
      }
    },

    connect: async (actor, { request, organizationId: givenId, scopes: given }) => {
      const { client, redirectUri, codeChallenge, refusal } = await check(request)
      if (refusal) throw new ProductError('connection_request_invalid', { detail: refusal.description })
      const organizationId = givenId.toLowerCase()
      const code = makeSecret('c')
      const [grantId, expiresAt] = [uuidV7(), new Date(Date.now() + codeMs)]
      // An app that changes items reads them, too.
      const scopes = keyScopes.filter((scope) => scope === 'read' || given.includes(scope))
      const { host: redirectHost } = describeRedirect(redirectUri)
      await database.withTenant({ ...actor, organizationId }, async (tx) => {
        const own = { organizationId, id: grantId, userId: actor.userId, expiresAt }
        const grant = { ...own, clientId: client.id, clientName: client.name, redirectHost, scopes }
        if (!(await insertGrant(tx, grant))) throw new ProductError('organization_not_found')
        await insertCode(tx, { organizationId, grantId, hash: hashSecret(code), redirectUri, codeChallenge, expiresAt })
        const payload = { name: client.name, redirectHost, scopes }
        const event = { organizationId, name: 'connected_app.connected', ids: [grantId], payload } as const
        await recordEvent(tx, { ...event, announced: 'never' })
      })
      return answerTo(redirectUri, { code, state: request.state })
    },

    list: (actor) => database.withTenant(actor, listApps),

    disconnect: (actor, id) =>
      database.withTenant(actor, async (tx) => {
        const revoked = await revokeOwnGrant(tx, id)
        if (!revoked) throw new ProductError('connected_app_not_found')
        const { organizationId, name } = revoked
        const event = { organizationId, name: 'connected_app.disconnected', ids: [id] } as const
        await recordEvent(tx, { ...event, payload: { name, cause: 'member' }, announced: 'never' })
      }),
  }
}

function findRefusal(request: ConnectionRequest, appUrl: string): CheckedRequest['refusal'] {
  const { response_type: type, code_challenge: challenge = '', code_challenge_method: method, resource } = request
  if (type !== 'code') return { error: 'unsupported_response_type', description: 'The app must ask for a code.' }
  // A SHA-256 in base64url.
  if (method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return { error: 'invalid_request', description: 'The app must use PKCE with the method S256.' }
  if (!isResource(resource, appUrl))
    return { error: 'invalid_target', description: 'The app asks for access to another server.' }
  return undefined
}

/** The only resource there is (RFC 8707); who names none means it. */
export function isResource(text: string | undefined, appUrl: string): boolean {
  return text === undefined || text === `${appUrl}/mcp` || text === `${appUrl}/mcp/`
}
