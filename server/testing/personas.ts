import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createKey } from '#server/features/api-keys/key-format.ts'
import type { Column } from './access-page.ts'
import { type BuiltUser, createApiKey, createAppToken, createMember, createUser } from './builders.ts'
import type { Tenant } from './facts.ts'
import type { TestServer } from './server.ts'

/* Everyone who may call the API, or try to: one line each. */

/** Made for one test server. */
export interface Persona {
  readonly name: string
  /** Which column of docs/access.md says what they may call. */
  readonly column: Column
  /** What the guard answers where that column has no mark. */
  readonly refusal: 401 | 403 | 404
  /** Belongs to the foreign organisation, and to no other. */
  readonly isForeigner?: boolean
  /** Of an API key: whose project it reaches. */
  readonly reach?: 'own' | 'sibling' | 'foreign'
  /** Of the access token of a connected app: whose organisation it reaches, through `/mcp` alone. */
  readonly appOf?: 'own' | 'foreign'
  readonly headers: Readonly<Record<string, string>>
}

interface World {
  readonly server: TestServer
  /** The organisation that members belong to. */
  readonly own: Tenant
  /** The organisation of the stranger. */
  readonly foreign: Tenant
  /** A second project of the organisation. */
  readonly siblingProjectId: string
  readonly keys: SigningKeys
}

interface Plan extends Omit<Persona, 'headers'> {
  /** The bearer's token; undefined for a call without one. */
  readonly open: (world: World) => Promise<string | undefined>
}

/** Keys for GOTRUE_JWT_KEYS, which a test knows and can sign with. */
export interface SigningKeys {
  readonly setting: string
  readonly privateKey: CryptoKey
}

export const unknownId = '01a1fbfe-0000-7000-8000-000000000000'

/** Members of the organisation, and the instance's superadmin. */
const insiders: readonly Plan[] = [
  ...(['viewer', 'member', 'admin', 'owner'] as const).map((role) => ({
    name: role,
    column: role,
    refusal: 403 as const,
    open: async ({ server, own: { organizationId } }: World) =>
      server.signIn(await createMember(server.client, { organizationId, role })),
  })),
  { name: 'superadmin', column: 'superadmin', refusal: 403, open: signInSuperadmin },
]

/** Accounts that are in order, but not in the organisation. */
const outsiders: readonly Plan[] = [
  { name: 'foreign owner', column: 'signed in', refusal: 404, isForeigner: true, open: signInForeignOwner },
  {
    name: 'account without organisation',
    column: 'signed in',
    refusal: 404,
    open: async ({ server }) => server.signIn(await createUser(server.client, { isInvited: true })),
  },
  formerOwner('removed owner', 404, 'delete from memberships where user_id = $1', 'signed in'),
]

/** Accounts and sessions that have ended. */
const ended: readonly Plan[] = [
  formerOwner('banned owner', 403, `update auth.users set banned_until = now() + interval '1 day' where id = $1`),
  formerOwner('unverified owner', 403, 'update auth.users set email_confirmed_at = null where id = $1'),
  formerOwner('signed-out owner', 401, 'delete from auth.sessions where user_id = $1'),
  formerOwner('deleted owner', 401, 'delete from auth.users where id = $1'),
  formerOwner('softly deleted owner', 401, 'update auth.users set deleted_at = now() where id = $1'),
]

/** Callers without a token of this server. */
const strangers: readonly Plan[] = [
  { name: 'anonymous', column: 'anyone', refusal: 401, open: async () => undefined },
  { name: 'publishable key', column: 'anyone', refusal: 401, open: async ({ server }) => server.publishableKey },
  {
    name: 'forged claims under a true signature',
    column: 'anyone',
    refusal: 401,
    open: async (world) => {
      const token = await signInOwner(world)
      const [head, , signature] = token.split('.')
      return [head, encode({ ...readClaims(token), role: 'service_role' }), signature].join('.')
    },
  },
  {
    name: 'unsigned token',
    column: 'anyone',
    refusal: 401,
    open: async (world) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(readClaims(await signInOwner(world)))}.`,
  },
  signed('expired token', { iat: 1_000_000_000, exp: 1_000_003_600 }),
  signed('token of another issuer', { iss: 'https://other.example/auth/v1' }),
  signed('token for another audience', { aud: 'other' }),
  signed('token without a session', { session_id: unknownId }),
  signed('token without an end', { exp: undefined }),
  signed('token of a service role', { role: 'service_role' }),
  {
    name: 'token of another’s session',
    column: 'anyone',
    refusal: 401,
    open: async (world) => {
      const { session_id } = readClaims(await signInForeignOwner(world))
      return signAs(await signInOwner(world), world.keys.privateKey, { session_id })
    },
  },
  {
    name: 'token of another key',
    column: 'anyone',
    refusal: 401,
    open: async (world) => signAs(await signInOwner(world), (await generateKeyPair('ES256')).privateKey, {}),
  },
]

/** Programs. Where people are asked for, a key is a token that no one knows. */
const machines: readonly Plan[] = (['read', 'write'] as const).flatMap((scope) => [
  keyed(`${scope} key`, { scopes: [scope], reach: 'own' }),
  keyed(`${scope} key of a sibling project`, { scopes: [scope], reach: 'sibling' }),
  keyed(`${scope} key of another organisation`, { scopes: [scope], reach: 'foreign' }),
])

/** Keys that open nothing any more, or never did. */
const endedMachines: readonly Plan[] = [
  keyed('expired key', { end: `expires_at = now() - interval '1 second'` }),
  keyed('revoked key', { end: 'revoked_at = now()' }),
  keyed('key after its overlap', {
    end: `replaced_by = gen_random_uuid(), overlap_until = now() - interval '1 second'`,
  }),
  { name: 'unknown key', column: 'anyone', refusal: 401, open: async () => createKey() },
]

/** Apps that members have connected. The API knows none of them. */
const apps: readonly Plan[] = [
  connected('app that reads', { appOf: 'own', scopes: ['read'] }),
  connected('app that writes', { appOf: 'own' }),
  connected('app of another organisation', { appOf: 'foreign' }),
  connected('revoked app', { end: 'update oauth_grants set revoked_at = now() where user_id = $1' }),
  connected('app of a removed member', { end: 'delete from memberships where user_id = $1' }),
  connected('app of a banned member', {
    end: `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
  }),
  connected('app with an expired token', {
    end: `update app.oauth_tokens set expires_at = now() where grant_id in (select id from oauth_grants where user_id = $1)`,
  }),
]

const plans: readonly Plan[] = [
  ...insiders,
  ...outsiders,
  ...ended,
  ...strangers,
  ...machines,
  ...endedMachines,
  ...apps,
]

/** Signs everyone in. @throws Error unless an owner's token, signed again with the known keys, is accepted. */
export async function openPersonas(world: World): Promise<readonly Persona[]> {
  const { server, own, keys } = world
  const path = `/api/v1/organizations/${own.organizationId}/projects`
  const resigned = await signAs(await signInOwner(world), keys.privateKey, {})
  const reply = await server.call(path, { token: resigned })
  if (reply.status !== 200) throw new Error(`tokens signed by the test are refused: ${reply.status}`)
  const personas: Persona[] = []
  for (const { open, ...persona } of plans) {
    const token = await open(world)
    personas.push({ ...persona, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  }
  return personas
}

export async function createSigningKeys(): Promise<SigningKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'known', alg: 'ES256', key_ops: ['sign', 'verify'] }
  return { setting: JSON.stringify([jwk]), privateKey }
}

/** An owner of the organisation whose account or session ends after the sign-in. */
function formerOwner(name: string, refusal: 401 | 403 | 404, end: string, column: Column = 'anyone'): Plan {
  return {
    name,
    column,
    refusal,
    open: async ({ server, own: { organizationId } }) => {
      const owner = await createMember(server.client, { organizationId, role: 'owner' })
      const token = await server.signIn(owner)
      await server.client.query(end, [owner.id])
      return token
    },
  }
}

/** An API key. One with an end serves no one; others have one scope, which is their column. */
function keyed(
  name: string,
  { scopes = ['read', 'write'], reach = 'own', end }: { scopes?: string[]; reach?: Persona['reach']; end?: string },
): Plan {
  return {
    name,
    column: end === undefined && scopes[0] === 'read' ? 'read key' : end === undefined ? 'write key' : 'anyone',
    refusal: 401,
    reach,
    ...(reach === 'foreign' && { isForeigner: true }),
    open: async ({ server: { client }, own, foreign, siblingProjectId }) => {
      const { organizationId, projectId } = reach === 'foreign' ? foreign : own
      const key = createKey()
      const id = await createApiKey(client, {
        organizationId,
        projectId: reach === 'sibling' ? siblingProjectId : projectId,
        key,
        scopes,
      })
      if (end !== undefined) await client.query(`update api_keys set ${end} where id = $1`, [id])
      return key
    },
  }
}

/** The access token of an app. One with an end, run with its member's id, opens nothing any more. */
function connected(
  name: string,
  { appOf, scopes = ['read', 'write'], end }: { appOf?: 'own' | 'foreign'; scopes?: string[]; end?: string },
): Plan {
  return {
    name,
    column: 'anyone',
    refusal: 401,
    ...(appOf !== undefined && { appOf }),
    open: async ({ server: { client }, own, foreign }) => {
      const { organizationId, ownerId } = appOf === 'foreign' ? foreign : own
      const userId = appOf === 'foreign' ? ownerId : (await createMember(client, { organizationId, role: 'owner' })).id
      const token = await createAppToken(client, { organizationId, userId, scopes })
      if (end !== undefined) await client.query(end, [userId])
      return token
    },
  }
}

/** The owner's token with other claims, signed with this server's own key. */
function signed(name: string, claims: Record<string, unknown>): Plan {
  return {
    name,
    column: 'anyone',
    refusal: 401,
    open: async (world) => signAs(await signInOwner(world), world.keys.privateKey, claims),
  }
}

function signAs(token: string, key: CryptoKey, claims: Record<string, unknown>): Promise<string> {
  return new SignJWT({ ...readClaims(token), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'known', typ: 'JWT' })
    .sign(key)
}

function readClaims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function signInOwner({ server, own }: World): Promise<string> {
  return signInAs(server, own.ownerId)
}

function signInForeignOwner({ server, foreign }: World): Promise<string> {
  return signInAs(server, foreign.ownerId)
}

async function signInSuperadmin({ server }: World): Promise<string> {
  const { rows } = await server.client.query<{ user_id: string }>('select user_id from app.superadmins')
  return signInAs(server, rows[0]?.user_id ?? '')
}

// Signing in takes as long as an attacker's guess: once for each account.
const tokens = new WeakMap<TestServer, Map<string, Promise<string>>>()

/** An access token of a built account. @throws Error when there is no such account. */
function signInAs(server: TestServer, userId: string): Promise<string> {
  const known = tokens.get(server) ?? new Map<string, Promise<string>>()
  tokens.set(server, known)
  const token = known.get(userId) ?? signIn(server, userId)
  known.set(userId, token)
  return token
}

async function signIn(server: TestServer, userId: string): Promise<string> {
  const { rows } = await server.client.query<Pick<BuiltUser, 'id' | 'email'>>(
    'select id, email from auth.users where id = $1',
    [userId],
  )
  const [user] = rows
  if (!user) throw new Error(`there is no account ${userId}`)
  return server.signIn({ ...user, organizationId: undefined })
}
