import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAllowed, type Role } from '#contract/permissions.ts'
import type { RouteContract } from '#contract/route.ts'
import { createFeedback, createMember, createProject, createUser } from './testing/builders.ts'
import { contracts } from './testing/contracts.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

/*
 * Every route × every kind of person × own, foreign and made-up ids. New contracts are covered unasked; only bodies
 * that a route needs are listed here.
 */
const bodies: Record<string, (tag: string) => unknown> = {
  createProject: (tag) => ({ name: 'Made', domain: `${tag}.example` }),
  updateFeedback: () => ({ viewed: true }),
}

const guarded = contracts.filter((contract) => contract.access.kind === 'organization')
const nowhere = '01a1fbfe-0000-7000-8000-000000000000'

let server: TestServer
interface Tenant {
  organizationId: string
  projectId: string
  feedbackId: string
}
let own: Tenant
let foreign: Tenant
const tokens: Record<string, string | undefined> = {}

async function buildTenant(): Promise<Tenant & { ownerToken: string }> {
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  const project = await createProject(server.client, { organizationId })
  const item = await createFeedback(server.client, { organizationId, projectId: project.id, message: 'canary' })
  return { organizationId, projectId: project.id, feedbackId: item.id, ownerToken: await server.signIn(owner) }
}

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '1000000' })
  // The first confirmed account runs the instance.
  tokens.superadmin = await server.signIn(await createUser(server.client))
  const { ownerToken, ...tenant } = await buildTenant()
  const { ownerToken: foreignToken, ...other } = await buildTenant()
  own = tenant
  foreign = other
  tokens.owner = ownerToken
  tokens['foreign owner'] = foreignToken
  for (const role of ['admin', 'member', 'viewer'] as const) {
    tokens[role] = await server.signIn(await createMember(server.client, { organizationId: own.organizationId, role }))
  }
  const removed = await createMember(server.client, { organizationId: own.organizationId, role: 'owner' })
  tokens['removed owner'] = await server.signIn(removed)
  await server.client.query('delete from memberships where user_id = $1', [removed.id])
  const banned = await createMember(server.client, { organizationId: own.organizationId, role: 'owner' })
  tokens['banned owner'] = await server.signIn(banned)
  await server.client.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [banned.id])
  const unverified = await createMember(server.client, { organizationId: own.organizationId, role: 'owner' })
  tokens['unverified owner'] = await server.signIn(unverified)
  await server.client.query('update auth.users set email_confirmed_at = null where id = $1', [unverified.id])
  const signedOut = await createMember(server.client, { organizationId: own.organizationId, role: 'owner' })
  tokens['signed-out owner'] = await server.signIn(signedOut)
  await server.client.query('delete from auth.sessions where user_id = $1', [signedOut.id])
  tokens.anonymous = undefined
  tokens.forger = forge(ownerToken)
})

afterAll(() => server.stop())

/** The owner's token with the claims of somebody else under the old signature. */
function forge(token: string): string {
  const [head, claims = '', signature] = token.split('.')
  const changed = { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), role: 'service_role' }
  return [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
}

let made = 0
async function visit(contract: RouteContract, ids: Tenant, token: string | undefined) {
  made += 1
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Tenant) => ids[name])
  const stop = new AbortController()
  const reply = await fetch(server.url + path, {
    method: contract.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(contract.body && { 'content-type': 'application/json' }),
    },
    ...(contract.body && { body: JSON.stringify(bodies[contract.operationId]?.(`made-${made}`) ?? {}) }),
    signal: stop.signal,
  })
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await reply.text()
  stop.abort()
  return { status: reply.status, text: text.replace(/"requestId":"[^"]*"/, '') }
}

const everyone: { name: string; role?: Role; isSuperadmin?: boolean; refusal?: number }[] = [
  { name: 'owner', role: 'owner' },
  { name: 'admin', role: 'admin' },
  { name: 'member', role: 'member' },
  { name: 'viewer', role: 'viewer' },
  { name: 'superadmin', isSuperadmin: true },
  { name: 'foreign owner', refusal: 404 },
  { name: 'removed owner', refusal: 404 },
  { name: 'banned owner', refusal: 403 },
  { name: 'unverified owner', refusal: 403 },
  { name: 'signed-out owner', refusal: 401 },
  { name: 'anonymous', refusal: 401 },
  { name: 'forger', refusal: 401 },
]

describe('the list of contracts', () => {
  it('is what the server prints of itself', async () => {
    const document = (await (await server.call('/api/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const printed = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(printed.sort()).toEqual(contracts.map(({ operationId }) => operationId).sort())
  })
})

describe.each(guarded.map((contract) => ({ contract, name: `${contract.method} ${contract.path}` })))(
  '$name',
  ({ contract }) => {
    const permission = contract.access.kind === 'organization' ? contract.access.permission : 'view_feedback'

    it.each(everyone)('for $name', async ({ name, role, isSuperadmin, refusal }) => {
      const answer = await visit(contract, own, tokens[name])
      if (refusal !== undefined) {
        expect(answer.status).toBe(refusal)
        expect(answer.text).not.toContain('canary')
      } else if (isAllowed(role, permission, isSuperadmin)) expect(answer.status).toBeLessThan(300)
      else expect(answer.status).toBe(403)
    })

    it('answers another organisation exactly as one that does not exist', async () => {
      const other = await visit(contract, foreign, tokens.owner)
      const none = await visit(
        contract,
        { organizationId: nowhere, projectId: nowhere, feedbackId: nowhere },
        tokens.owner,
      )
      expect(other).toEqual(none)
      expect(other.status).toBe(404)
    })

    it('answers a foreign row under the own organisation exactly as one that does not exist', async () => {
      if (!/\{(projectId|feedbackId)\}/.test(contract.path)) return
      const { organizationId } = own
      const other = await visit(contract, { ...foreign, organizationId }, tokens.owner)
      const none = await visit(contract, { organizationId, projectId: nowhere, feedbackId: nowhere }, tokens.owner)
      expect(other).toEqual(none)
      expect(other.status).toBe(404)
    })

    it.each(['1', '..%2f..', '%00', 'a'.repeat(300), '%F0%9F%98%80', "';--"])('refuses the id %s', async (id) => {
      const answer = await visit(contract, { organizationId: id, projectId: id, feedbackId: id }, tokens.owner)
      expect(answer.status).toBe(404)
      if (/\{(projectId|feedbackId)\}/.test(contract.path)) {
        const inner = await visit(contract, { ...own, projectId: id, feedbackId: id }, tokens.owner)
        expect([400, 404]).toContain(inner.status)
      }
    })
  },
)
