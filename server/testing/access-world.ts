import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { RouteContract } from '#contract/route.ts'
import { type Answer, ask } from './ask.ts'
import { createFeedback, createProject, createUser } from './builders.ts'
import { findCanaries, listTablesOf, plantCanaries } from './canaries.ts'
import type { Tenant } from './facts.ts'
import { ids as idFacts, routes, tables } from './gather-facts.ts'
import { createSigningKeys, openPersonas, type Persona, unknownId } from './personas.ts'
import { startTestServer, type TestServer } from './server.ts'
import { createTenant } from './tenant.ts'

/** Values of address parameters, by name. */
export type Ids = Readonly<Record<string, string>>

interface Sibling {
  readonly projectId: string
  readonly feedbackId: string
}

/** A server with two organisations, and everyone who may call it. */
export interface AccessWorld {
  readonly server: TestServer
  /** Its settings, for another process of the same instance. */
  readonly env: Readonly<Record<string, string>>
  readonly own: Tenant
  readonly foreign: Tenant
  /** A second project of the organisation, with an item. */
  readonly sibling: Sibling
  readonly personas: readonly Persona[]
  /** Method and address of every route that the server has, in the contracts' spelling. */
  readonly addresses: readonly string[]
  /** Addresses that write, and why they are served while the instance is read-only all the same. */
  readonly servedReadOnly: ReadonlyMap<string, string>
  /** Rows of each organisation, and of none. */
  readonly ids: { readonly own: Ids; readonly foreign: Ids; readonly unknown: Ids }
  /** The column of each canary in the foreign organisation. */
  readonly planted: ReadonlyMap<string, string>
  /** Digests of the foreign organisation's rows at the beginning, by table. */
  readonly untouched: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** What the sibling project's item says. */
export const siblingWords = 'Told to the sibling project alone.'

/** Secret of the test's instance, from which links can be forged. */
export const instanceSecret = 'a secret that only this test knows'

export async function openAccessWorld(): Promise<AccessWorld> {
  const keys = await createSigningKeys()
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-access-'))
  const env = {
    DATA_DIR: dataDir,
    API_RATE_PER_MINUTE: '1000000',
    API_KEY_RATE_PER_MINUTE: '1000000',
    INGEST_RATE_PER_MINUTE: '1000000',
    GOTRUE_JWT_KEYS: keys.setting,
    INSTANCE_SECRET: instanceSecret,
  }
  const { result: server, addresses, servedReadOnly } = await noteAddresses(() => startTestServer(env))
  // The first confirmed account runs the instance.
  await createUser(server.client)
  const own = await createTenant(server.client)
  const foreign = await createTenant(server.client)
  const sibling = await prepareOwn(server, own)
  const personas = await openPersonas({ server, own, foreign, siblingProjectId: sibling.projectId, keys })
  await server.client.query('create table members_before as select * from memberships')
  const planted = await plantCanaries(server.client, foreign)
  const ownIds = await findIds(server, own)
  const unknown = Object.fromEntries(Object.keys(ownIds).map((name) => [name, unknownId]))
  return {
    server,
    env,
    own,
    foreign,
    sibling,
    personas,
    addresses,
    servedReadOnly,
    ids: { own: ownIds, foreign: await findIds(server, foreign), unknown },
    planted,
    untouched: await digestTables(server, foreign),
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs what makes a server, and lists the addresses that it gets. */
async function noteAddresses<T>(
  start: () => Promise<T>,
): Promise<{ result: T; addresses: string[]; servedReadOnly: Map<string, string> }> {
  const all = new Set<string>()
  const servedReadOnly = new Map<string, string>()
  const note = (message: unknown) => {
    // Fastify publishes each server that it makes.
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const each of [method].flat()) {
        const address = `${each} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
        all.add(address)
        if (config?.evenReadOnly !== undefined && each !== 'GET' && each !== 'HEAD')
          servedReadOnly.set(address, config.evenReadOnly)
      }
    })
  }
  subscribe('fastify.initialization', note)
  try {
    const result = await start()
    return { result, addresses: [...all].filter((address) => !isImplied(address, all)), servedReadOnly }
  } finally {
    unsubscribe('fastify.initialization', note)
  }
}

/** Whether Fastify added the address for another: HEAD wherever it answers GET. Preflights of browsers do nothing. */
function isImplied(address: string, all: ReadonlySet<string>): boolean {
  const get = address.replace(/^HEAD (.*?)\/?$/, 'GET $1')
  return address.startsWith('OPTIONS ') || (get !== address && all.has(get))
}

/** What calls need to succeed, beyond a row in each table; and a sibling of the organisation's project. */
async function prepareOwn({ client }: TestServer, { organizationId, projectId }: Tenant): Promise<Sibling> {
  // Another item to merge into.
  await createFeedback(client, { organizationId, projectId })
  // Earlier versions, so that each caller can undo a publication.
  await client.query(
    `insert into widget_versions (organization_id, project_id, settings) select $1, $2, '{}' from generate_series(1, 20)`,
    [organizationId, projectId],
  )
  const { id: siblingId } = await createProject(client, { organizationId })
  const item = await createFeedback(client, { organizationId, projectId: siblingId, message: siblingWords })
  return { projectId: siblingId, feedbackId: item.id }
}

/** A row of the organisation for every parameter. */
async function findIds({ client }: TestServer, tenant: Tenant): Promise<Ids> {
  const { organizationId, projectId, feedbackId } = tenant
  const found: Record<string, string> = { organizationId, projectId, feedbackId }
  for (const [parameter, { table, column = 'id' }] of Object.entries(idFacts)) {
    const { rows } = await client.query<{ id: string }>(
      `select ${column} as id from ${table} where ${tables[table]?.row(tenant)} limit 1`,
    )
    if (!rows[0]) throw new Error(`the facts of ${table} make no row for {${parameter}}`)
    found[parameter] = rows[0].id
  }
  return found
}

/** Ids for a call that should succeed: rows that only the caller sees, or that the call deletes, are made for it. */
export async function prepareIds(
  { server: { client }, own, ids }: AccessWorld,
  { operationId, path }: RouteContract,
  persona: Persona,
): Promise<Ids> {
  const renew = routes[operationId]?.renew
  if (renew) await client.query(renew({ ...ids.own, organizationId: own.organizationId }))
  const prepared: Record<string, string> = { ...ids.own }
  for (const [parameter, { table, isCallersOwn = false }] of Object.entries(idFacts)) {
    if (!isCallersOwn || !path.includes(`{${parameter}}`)) continue
    const { rows } = await client.query<{ id: string }>(
      `insert into ${table} ${tables[table]?.add(own, readUserId(persona))} returning id`,
    )
    prepared[parameter] = rows[0]?.id ?? unknownId
  }
  if (operationId === 'deleteProject') {
    prepared.projectId = (await createProject(client, { organizationId: own.organizationId })).id
  }
  return prepared
}

function readUserId({ headers }: Persona): string {
  const payload = headers.authorization?.split('.')[1] ?? ''
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub
}

let bodies = 0

/** Gives members back what a call took from them. */
async function restoreMembers({ client }: TestServer, { organizationId }: Tenant): Promise<void> {
  await client.query(
    `insert into memberships (organization_id, user_id, role)
     select organization_id, user_id, role from members_before where organization_id = $1
     on conflict (organization_id, user_id) do update set role = excluded.role`,
    [organizationId],
  )
}

/** A body that the operation accepts. */
export function makeBody({ own, ids }: AccessWorld, { operationId }: RouteContract): unknown {
  bodies += 1
  const { body } = routes[operationId] ?? {}
  const { organizationId, projectId, feedbackId, viewerId: memberId } = own
  const { integrationId = '' } = ids.own
  return (
    body?.({
      organizationId,
      projectId,
      feedbackId,
      integrationId,
      otherNumber: 2,
      tag: `made-${bodies}`,
      leaverEmail: '',
      memberId,
    }) ?? {}
  )
}

/** Whether a call may leave its caller, or others, without their role. */
function changesMembers({ method, path }: RouteContract): boolean {
  return method !== 'GET' && /\{organizationId\}\/(members|leave|transfer-ownership)/.test(path)
}

/** Calls an operation. @throws Error when the answer tells anything of the foreign organisation. */
export async function callOperation(
  world: AccessWorld,
  contract: RouteContract,
  named: Ids,
  persona: Persona,
  given: { body?: unknown; query?: string } = {},
): Promise<Answer> {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? unknownId)
  const query = [routes[contract.operationId]?.query, given.query].filter((part) => part !== undefined).join('&')
  const content = encodeBody(world, contract, given.body)
  const answer = await ask(world.server.url + path + (query === '' ? '' : `?${query}`), {
    method: contract.method,
    headers: { ...persona.headers, ...(content && { 'content-type': content.type }) },
    ...(content && { body: content.text }),
  })
  if (answer.status < 300) {
    const undo = routes[contract.operationId]?.undo
    if (undo) await world.server.client.query(undo(world.own))
    if (undo && contract.path.endsWith('/maintenance')) await awaitWrites(world.server)
    if (changesMembers(contract)) await restoreMembers(world.server, world.own)
  }
  // Superadmins' own calls are about all organisations.
  const maySeeAll = persona.column === 'superadmin' && contract.access.kind === 'superadmin'
  const told = persona.isForeigner || maySeeAll ? [] : findCanaries(JSON.stringify(answer))
  if (told.length > 0) {
    const columns = told.map((word) => world.planted.get(word)).join(', ')
    throw new Error(`${contract.operationId} answers ${answer.status} with another organisation’s ${columns}`)
  }
  return answer
}

/** The server learns from a notification that read-only mode has ended. Until then its answers to other calls say so. */
async function awaitWrites(server: TestServer): Promise<void> {
  for (const giveUpAt = Date.now() + 10_000; Date.now() < giveUpAt; await setTimeout(20)) {
    const reply = await server.call('/api/v1/maintenance')
    if (((await reply.json()) as { readOnly: unknown }).readOnly === null) return
  }
  throw new Error('the server is still read-only')
}

/** Bodies that are files. */
const files: Readonly<Record<string, string>> = {
  uploadImportFile: 'Message\nIt jumps.\n',
  addAnnotation: 'Judged by a job.',
  uploadBlogPicture: 'Not a picture.',
}

function encodeBody(
  world: AccessWorld,
  contract: RouteContract,
  body: unknown,
): { type: string; text: string } | undefined {
  const file = files[contract.operationId]
  if (file !== undefined) return { type: 'application/octet-stream', text: file }
  return contract.body && { type: 'application/json', text: JSON.stringify(body ?? makeBody(world, contract)) }
}

/** Tables of the foreign organisation whose rows are not as they were at the beginning. */
export async function listChangedTables({ server, foreign, untouched }: AccessWorld): Promise<string[]> {
  const now = await digestTables(server, foreign)
  return Object.keys(now).filter((table) => now[table] !== untouched[table])
}

/** Columns that the use of a key changes. */
const whatReadingNotes = `'{last_used_at,last_used_ip}'::text[]`

/** A digest of the organisation's rows, by table. */
export async function digestTables({ client }: TestServer, tenant: Tenant): Promise<Readonly<Record<string, string>>> {
  const digests = listTablesOf(tenant).map(
    (table) =>
      `(select md5(string_agg(r, '' order by r)) from ${table} t, lateral (select (to_jsonb(t) - ${whatReadingNotes})::text as r) where ${tables[table]?.row(tenant)}) as "${table}"`,
  )
  const { rows } = await client.query<Record<string, string>>(`select ${digests.join(', ')}`)
  return rows[0] ?? {}
}
