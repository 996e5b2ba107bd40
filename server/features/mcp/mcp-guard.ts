import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthFeature } from '#server/features/oauth/oauth.feature.ts'
import type { Caller } from '#server/platform/http/guard.ts'
import { admitKey, type KeyCaller, type KeyLookup } from '#server/platform/http/key-guard.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { AgentCaller } from './tool.ts'

export interface GuardParts {
  readonly appUrl: string
  readonly keyLookup: KeyLookup
  /** Of the access token of a connected app. */
  readonly findHolder: OAuthFeature['findHolder']
}

/** Who makes an MCP request: as tools need them, and as the audit log does. */
export interface AdmittedAgent {
  readonly caller: AgentCaller
  readonly requestCaller: Caller | KeyCaller
}

/**
 * Decides whether an MCP request may go on. A refusal says where a client learns how to connect (RFC 9728, section 5.1).
 *
 * @throws ProductError 401 without a valid token, 403 for one without the scope `read`, or from another website.
 */
export async function admitAgent(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: GuardParts,
): Promise<AdmittedAgent> {
  refuseForeignOrigin(request, parts.appUrl)
  const text = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  try {
    if (text === undefined) throw new ProductError('connection_required')
    return text.startsWith('es_')
      ? await admitByKey(request, reply, parts.keyLookup)
      : await admitByToken(text, parts.findHolder)
  } catch (error) {
    if (error instanceof ProductError && error.status === 401) challenge(reply, parts.appUrl, text !== undefined)
    if (error instanceof ProductError && error.code === 'scope_missing') challengeScope(reply, parts.appUrl, 'read')
    throw error
  }
}

/** Says that a call needs another scope: clients then ask the person for it. */
export function challengeScope(reply: FastifyReply, appUrl: string, scope: string): void {
  const parts = [`error="insufficient_scope"`, `scope="${scope}"`, `resource_metadata="${metadataUrl(appUrl)}"`]
  reply.header('www-authenticate', `Bearer ${parts.join(', ')}`)
}

function metadataUrl(appUrl: string): string {
  return `${appUrl}/.well-known/oauth-protected-resource/mcp`
}

function challenge(reply: FastifyReply, appUrl: string, hasToken: boolean): void {
  const parts = [`resource_metadata="${metadataUrl(appUrl)}"`, `scope="read"`]
  if (hasToken) parts.unshift('error="invalid_token"')
  reply.header('www-authenticate', `Bearer ${parts.join(', ')}`)
}

/** Programs name no origin. A browser does, and no website's script has business here (DNS rebinding). */
function refuseForeignOrigin({ headers }: FastifyRequest, appUrl: string): void {
  if (headers.origin !== undefined && headers.origin !== new URL(appUrl).origin) {
    throw new ProductError('permission_denied', { detail: 'Websites can’t call this address.' })
  }
}

async function admitByKey(request: FastifyRequest, reply: FastifyReply, lookup: KeyLookup): Promise<AdmittedAgent> {
  const requestCaller = await admitKey(request, reply, 'read', lookup)
  const { actor, organizationId, projectId, mayWrite } = requestCaller
  return { caller: { actor, organizationId, projectId, mayWrite }, requestCaller }
}

async function admitByToken(text: string, findHolder: GuardParts['findHolder']): Promise<AdmittedAgent> {
  const holder = await findHolder(text)
  if (!holder) throw new ProductError('connection_ended')
  const { caller: requestCaller, organizationId, mayWrite } = holder
  return { caller: { actor: requestCaller.actor, organizationId, projectId: undefined, mayWrite }, requestCaller }
}
