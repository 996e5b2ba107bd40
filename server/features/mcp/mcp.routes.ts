import type { FastifyInstance, FastifyRequest } from 'fastify'
import { spend } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { ReadOnly } from '#server/platform/read-only/read-only.ts'
import { admitAgent, challengeScope, type GuardParts } from './mcp-guard.ts'
import type { Mcp } from './mcp-server.ts'
import type { AgentCaller, AnyTool } from './tool.ts'

declare module 'fastify' {
  interface FastifyRequest {
    agent: AgentCaller | undefined
  }
}

export interface McpRouteParts {
  readonly mcp: Mcp
  readonly tools: readonly AnyTool[]
  readonly guard: Omit<GuardParts, 'keyLookup'>
  readonly readOnly: Pick<ReadOnly, 'requireWrites'>
}

const maxBodyBytes = 256 * 1024
/** Of a batch, as clients before 2025-06-18 send them. */
const maxMessages = 20

/** `/mcp`, the address of the Model Context Protocol: streamable HTTP without sessions. */
export function mcpRoutes(app: FastifyInstance, { mcp, tools, guard, readOnly }: McpRouteParts): void {
  const parts = { ...guard, keyLookup: app.keyLookup }
  const writing = new Set(tools.filter(({ writes }) => writes).map(({ name }) => name))
  app.decorateRequest('agent', undefined)
  app.route({
    // GET and DELETE belong to sessions: the protocol answers them with 405.
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    config: { evenReadOnly: 'tools that only read; those that write are refused within' },
    bodyLimit: maxBodyBytes,
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { caller, requestCaller } = await admitAgent(request, reply, parts)
      request.agent = caller
      request.caller = requestCaller
    },
    handler: async (request, reply) => {
      const { agent: caller, body, id } = request
      if (!caller) throw new Error('the guard lets no one through without a caller')
      const messages = [body].flat()
      if (messages.length > maxMessages)
        throw new ProductError('malformed_request', { detail: 'The batch is too long.' })
      // A key's calls count together, whichever way they come; a person's as well.
      const isKey = caller.projectId !== undefined
      spend(isKey ? app.keyBuckets : app.apiBuckets, caller.actor.userId, Math.max(1, messages.length))
      const writes = messages.some((message) => callsAny(message, writing))
      if (writes && !caller.mayWrite) {
        challengeScope(reply, guard.appUrl, 'read write')
        throw new ProductError('scope_missing', { detail: 'This tool needs the scope write.' })
      }
      if (writes) readOnly.requireWrites()
      const answer = await mcp.answer({ request: toWebRequest(request, guard.appUrl), body, caller, requestId: id })
      return reply.send(answer)
    },
  })
}

function callsAny(message: unknown, names: ReadonlySet<string>): boolean {
  // Any JSON; what is missing is undefined.
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && typeof params?.name === 'string' && names.has(params.name)
}

/** Without its body, which is parsed already. */
function toWebRequest({ method, headers }: FastifyRequest, appUrl: string): Request {
  const own = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'authorization') own.set(name, [value].flat().join(', '))
  }
  return new Request(`${appUrl}/mcp`, { method, headers: own })
}
