import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAllowed, type Role } from '#contract/permissions.ts'
import { listProjects } from '#contract/projects.ts'
import type { RouteContract } from '#contract/route.ts'
import { createFeedback, createMember, createProject, createUser } from './testing/builders.ts'
import { contracts } from './testing/contracts.ts'
import { routes } from './testing/gather-facts.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

/*
 * Every route × every kind of person × own, foreign and made-up ids. New contracts are covered unasked; the bodies that
 * a route needs stand in the facts of its noun.
 */
const guarded = contracts.filter((contract) => contract.access.kind === 'organization')
/** Routes of the caller's own account, outside any organisation. */
const personal = contracts.filter((contract) => contract.access.kind === 'signed_in')
const nowhere = '01a1fbfe-0000-7000-8000-000000000000'

let server: TestServer
interface Tenant {
  organizationId: string
  projectId: string
  feedbackId: string
  invitationId: string
  exportId: string
  /** What each has of their own. */
  viewId?: string
  operationId?: string
  erasureId?: string
  importId: string
}
let own: Tenant
let foreign: Tenant
const tokens: Record<string, string | undefined> = {}

async function buildTenant(): Promise<Tenant & { ownerToken: string }> {
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  const project = await createProject(server.client, { organizationId })
  const item = await createFeedback(server.client, { organizationId, projectId: project.id, message: 'canary' })
  await server.client.query(`update feedback set visitor_id = 'made' where id = $1`, [item.id])
  const erasureId = crypto.randomUUID()
  await server.client.query(
    `insert into visitor_erasures (organization_id, id, subject_hash, requested_by) values ($1, $2, sha256('x'), $3)`,
    [organizationId, erasureId, owner.id],
  )
  // What it can be merged into.
  await createFeedback(server.client, { organizationId, projectId: project.id, message: 'canary' })
  const ownerToken = await server.signIn(owner)
  // As if it had been published several times: there is something to go back to for each who may.
  await server.client.query(
    `insert into widget_versions (organization_id, project_id, settings) select $1, $2, '{}' from generate_series(1, 10)`,
    [organizationId, project.id],
  )
  const body = { email: 'invited@example.com', role: 'member' }
  const invited = await server.call(`/api/v1/organizations/${organizationId}/invitations`, { token: ownerToken, body })
  const { id: invitationId } = (await invited.json()) as { id: string }
  const exportId = crypto.randomUUID()
  await server.client.query(routes.deleteExport?.renew?.({ organizationId, exportId }) ?? '')
  const importId = crypto.randomUUID()
  await server.client.query(
    `insert into imports (organization_id, id, project_id, created_by, name) values ($1, $2, $3, $2, 'canary.csv')`,
    [organizationId, importId, project.id],
  )
  const ids = { projectId: project.id, feedbackId: item.id, invitationId, exportId, importId, erasureId }
  return { organizationId, ...ids, ownerToken }
}

beforeAll(async () => {
  // Keys that this test knows, to sign what the server itself never would.
  const keys = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.privateKey)), kid: 'known', alg: 'ES256', key_ops: ['sign', 'verify'] }
  server = await startTestServer({ API_RATE_PER_MINUTE: '1000000', GOTRUE_JWT_KEYS: JSON.stringify([jwk]) })
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
  const deleted = await createMember(server.client, { organizationId: own.organizationId, role: 'owner' })
  tokens['deleted owner'] = await server.signIn(deleted)
  await server.client.query('delete from auth.users where id = $1', [deleted.id])
  const erased = await createMember(server.client, { organizationId: own.organizationId, role: 'owner' })
  tokens['softly deleted owner'] = await server.signIn(erased)
  await server.client.query('update auth.users set deleted_at = now() where id = $1', [erased.id])
  tokens.anonymous = undefined
  tokens.forger = forge(ownerToken)
  tokens['publishable key'] = server.publishableKey

  const claims = readClaims(ownerToken)
  const stranger = await generateKeyPair('ES256')
  const sign = (changes: Record<string, unknown>, key: CryptoKey = keys.privateKey) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'ES256', kid: 'known', typ: 'JWT' }).sign(key)
  expect((await visit(listProjects, own, await sign({}))).status).toBe(200)
  tokens['expired token'] = await sign({ iat: 1_000_000_000, exp: 1_000_003_600 })
  tokens['token of another issuer'] = await sign({ iss: 'https://other.example/auth/v1' })
  tokens['token for another audience'] = await sign({ aud: 'other' })
  tokens['token of another key'] = await sign({}, stranger.privateKey)
  tokens['token of no session'] = await sign({ session_id: nowhere })
  tokens['token of another’s session'] = await sign({ session_id: readClaims(foreignToken).session_id })
  tokens['token without an end'] = await sign({ exp: undefined })
  tokens['token of a service role'] = await sign({ role: 'service_role' })
  tokens['unsigned token'] = `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`
})

afterAll(() => server.stop())

function readClaims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** The owner's token with another person's claims under the old signature. */
function forge(token: string): string {
  const [head, , signature] = token.split('.')
  return [head, encode({ ...readClaims(token), role: 'service_role' }), signature].join('.')
}

let made = 0
/** Who may delete something deletes one of their own, so that the others find theirs. */
async function findTarget(contract: RouteContract, ids: Tenant): Promise<Tenant> {
  if (contract.operationId !== 'deleteProject' || ids !== own) return ids
  const { id } = await createProject(server.client, { organizationId: own.organizationId })
  return { ...own, projectId: id }
}

async function visit(contract: RouteContract, named: Tenant, token: string | undefined) {
  made += 1
  const ids = await findTarget(contract, named)
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof Tenant] ?? nowhere)
  const { body, query } = routes[contract.operationId] ?? {}
  const sample = { projectId: own.projectId, otherNumber: 2, tag: `made-${made}`, leaverEmail: '' }
  const stop = new AbortController()
  const file = contract.operationId === 'uploadImportFile' ? 'Message\nIt jumps.\n' : undefined
  const reply = await fetch(server.url + path + (query === undefined ? '' : `?${query}`), {
    method: contract.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(contract.body && { 'content-type': 'application/json' }),
      ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
    },
    ...(contract.body && { body: JSON.stringify(body?.(sample) ?? {}) }),
    ...(file !== undefined && { body: file }),
    signal: stop.signal,
  })
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await reply.text()
  stop.abort()
  return { status: reply.status, text: text.replace(/"requestId":"[^"]*"/, '') }
}

/** The tenant with a view and a change of many items that are the caller's own. */
async function withOwnThings(contract: RouteContract, token: string | undefined): Promise<Tenant> {
  if (!/\{(viewId|operationId)\}/.test(contract.path)) return own
  const id = crypto.randomUUID()
  const things = [
    ['views', { id, name: 'Own', search: '', isShared: false }],
    ['feedback/bulk', { id, ids: [own.feedbackId], change: { viewed: true } }],
  ] as const
  for (const [path, body] of things) {
    const reply = await server.call(`/api/v1/organizations/${own.organizationId}/${path}`, { token: token ?? '', body })
    expect(reply.status).toBe(201)
  }
  return { ...own, viewId: id, operationId: id }
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
  { name: 'deleted owner', refusal: 401 },
  { name: 'softly deleted owner', refusal: 401 },
  { name: 'anonymous', refusal: 401 },
  { name: 'forger', refusal: 401 },
  { name: 'publishable key', refusal: 401 },
  { name: 'expired token', refusal: 401 },
  { name: 'token of another issuer', refusal: 401 },
  { name: 'token for another audience', refusal: 401 },
  { name: 'token of another key', refusal: 401 },
  { name: 'token of no session', refusal: 401 },
  { name: 'token of another’s session', refusal: 401 },
  { name: 'token without an end', refusal: 401 },
  { name: 'token of a service role', refusal: 401 },
  { name: 'unsigned token', refusal: 401 },
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
      const renew = routes[contract.operationId]?.renew
      if (renew) await server.client.query(renew(own))
      const ids = refusal === undefined ? await withOwnThings(contract, tokens[name]) : own
      const answer = await visit(contract, ids, tokens[name])
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
        {
          organizationId: nowhere,
          projectId: nowhere,
          feedbackId: nowhere,
          invitationId: nowhere,
          exportId: nowhere,
          importId: nowhere,
        },
        tokens.owner,
      )
      expect(other).toEqual(none)
      expect(other.status).toBe(404)
    })

    it('answers a foreign row under its own organisation exactly as a row that does not exist', async () => {
      if (!/\{(projectId|feedbackId|invitationId|exportId|importId)\}/.test(contract.path)) return
      const { organizationId } = own
      const other = await visit(contract, { ...foreign, organizationId }, tokens.owner)
      const none = await visit(
        contract,
        {
          organizationId,
          projectId: nowhere,
          feedbackId: nowhere,
          invitationId: nowhere,
          exportId: nowhere,
          importId: nowhere,
        },
        tokens.owner,
      )
      expect(other).toEqual(none)
      expect(other.status).toBe(404)
    })

    it.each(['1', '..%2f..', '%00', 'a'.repeat(300), '%F0%9F%98%80', "';--"])('refuses the id %s', async (id) => {
      const answer = await visit(
        contract,
        { organizationId: id, projectId: id, feedbackId: id, invitationId: id, exportId: id, importId: id },
        tokens.owner,
      )
      expect(answer.status).toBe(404)
      if (/\{(projectId|feedbackId|invitationId|exportId|importId)\}/.test(contract.path)) {
        const inner = await visit(
          contract,
          { ...own, projectId: id, feedbackId: id, invitationId: id, exportId: id, importId: id },
          tokens.owner,
        )
        expect([400, 404]).toContain(inner.status)
      }
    })
  },
)

describe.each(personal.map((contract) => ({ contract, name: `${contract.method} ${contract.path}` })))(
  '$name',
  ({ contract }) => {
    // People without this organisation are signed in all the same.
    const refused = everyone.filter(({ refusal }) => refusal !== undefined && refusal !== 404)

    it.each(refused)('for $name', async ({ name, refusal }) => {
      const answer = await visit(contract, own, tokens[name])
      expect(answer.status).toBe(refusal)
      expect(answer.text).not.toContain('canary')
    })
  },
)
