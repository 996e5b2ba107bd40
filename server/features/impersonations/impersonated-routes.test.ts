import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAccessPage } from '#server/testing/access-page.ts'
import { type AccessWorld, callOperation, openAccessWorld, prepareIds } from '#server/testing/access-world.ts'
import { ask as askServer } from '#server/testing/ask.ts'
import { contracts } from '#server/testing/contracts.ts'
import { gates, routes as routeFacts } from '#server/testing/gather-facts.ts'
import { type Persona, unknownId } from '#server/testing/personas.ts'

/*
 * Every operation × a superadmin who impersonates an owner, reading only and with changes. The last column of docs/access.md
 * says what each may call. A new contract is covered unasked.
 */
const accessLines = readAccessPage(readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8'))
const listMarked = (mark: string) =>
  contracts
    .filter(({ operationId }) => accessLines.get(operationId)?.impersonated === mark)
    .map((contract) => ({ contract, name: contract.operationId }))

let world: AccessWorld
let reading: Persona
let changing: Persona
beforeAll(async () => {
  world = await openAccessWorld()
  reading = await impersonate('read_only')
  changing = await impersonate('changes')
})
afterAll(() => world?.stop())

function getPersona(name: string): Persona {
  const persona = world.personas.find((each) => each.name === name)
  if (!persona) throw new Error(`there is no persona ${name}`)
  return persona
}

async function impersonate(mode: 'read_only' | 'changes'): Promise<Persona> {
  const bearer = (persona: Persona) => persona.headers.authorization?.slice(7) ?? ''
  const owner = getPersona('owner')
  const { sub } = JSON.parse(Buffer.from(bearer(owner).split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  const answer = await world.server.call(`/api/v1/superadmin/users/${sub}/impersonations`, {
    token: bearer(getPersona('superadmin')),
    body: { id: randomUUID(), reason: 'All routes', mode, minutes: 60 },
  })
  const { token } = (await answer.json()) as { token: string }
  return { name: mode, column: 'owner', refusal: 403, headers: { authorization: `Bearer ${token}` } }
}

/** What a call may write although it reads: who looked, and what the server counts of itself. */
const noted = [
  'app.events',
  'app.rate_limits',
  'public.audit_log',
  'app.job_workers',
  // The server's own log is written meanwhile.
  'app.app_logs',
  'app.log_blocks',
  'app.log_words',
  // Monitoring measures each minute.
  'app.monitored_processes',
  'app.process_minutes',
  'app.instance_minutes',
  'app.monitor_thresholds',
  'app.monitor_alerts',
]

/** A digest of every table that is not among those, by name. */
async function digestAll(): Promise<Readonly<Record<string, string>>> {
  const { client } = world.server
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'app', 'auth') and c.relkind in ('r', 'p') order by 1`,
  )
  const digests = tables
    .filter(({ name }) => !noted.includes(name))
    .map(({ name }) => `(select md5(string_agg(t::text, '' order by t::text)) from ${name} t) as "${name}"`)
  const { rows } = await client.query<Record<string, string>>(`select ${digests.join(', ')}`)
  return rows[0] ?? {}
}

/** Makes a call. @throws AssertionError when a table has changed meanwhile. */
async function expectUntouched<T>(call: () => Promise<T>): Promise<T> {
  const before = await digestAll()
  const result = await call()
  const after = await digestAll()
  expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([])
  return result
}

it('docs/access.md says of every operation what an impersonation may do', () => {
  const counts = ['', 'anyone', 'read', 'changes', 'always'].map((mark) => listMarked(mark).length)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(contracts.length)
  // A write that both modes may make: its only use is to end.
  expect(listMarked('always').map(({ name }) => name)).toEqual(['endImpersonation'])
  expect(listMarked('read').filter(({ contract }) => contract.method !== 'GET')).toEqual([])
})

describe('refused in both modes', () => {
  it.each(listMarked(''))('$name', async ({ contract }) => {
    const isOfKeys = contract.access.kind === 'api_key'
    for (const persona of [reading, changing]) {
      const atOwn = await callOperation(world, contract, world.ids.own, persona)
      expect([persona.name, atOwn.status]).toEqual([persona.name, isOfKeys ? 401 : 403])
      if (!isOfKeys) expect(atOwn.text).toContain('"code":"impersonation_refused"')
      for (const ids of [world.ids.foreign, world.ids.unknown])
        expect([persona.name, await callOperation(world, contract, ids, persona)]).toEqual([persona.name, atOwn])
    }
  })

  it.each([
    'deleteAccount',
    'setAvatar',
    'removeAvatar',
    'endSession',
    'createApiKey',
    'connectApp',
    'createCheckout',
    'cancelSubscription',
    'deleteOrganization',
    'leaveOrganization',
    'removeMember',
    'transferOwnership',
    'changeMemberRole',
    'createInvitation',
    'createOrganization',
    'acceptInvitation',
    'getIdentitySecret',
    'startImpersonation',
    'announcePresence',
  ])('names %s', (name) => {
    expect(listMarked('').map((each) => each.name)).toContain(name)
  })
})

/** What the guard answers; an operation's own refusals have other codes. */
const guardCodes = /"code":"(impersonation_\w+|unauthenticated|token_expired|permission_denied)"/

describe('answered while reading only as to the user, with nothing written', () => {
  it.each(listMarked('read'))('$name', async ({ contract }) => {
    const owner = getPersona('owner')
    const prepare = () => prepareIds(world, contract, owner)
    const toOwner = await callOperation(world, contract, await prepare(), owner)
    // What undoes a call in tests writes too.
    const isUndone = routeFacts[contract.operationId]?.undo !== undefined
    for (const persona of [reading, changing]) {
      const ids = await prepare()
      const ask = () => callOperation(world, contract, ids, persona)
      const { status, text } = await (isUndone ? ask() : expectUntouched(ask))
      expect(status, `${persona.name}: ${text}`).toBeLessThan(500)
      const own = contract.operationId === 'getImpersonation' ? 200 : toOwner.status
      expect([persona.name, status], text).toEqual([persona.name, own])
      expect(text).not.toMatch(guardCodes)
    }
    if (contract.access.kind !== 'organization') return
    const atForeign = await callOperation(world, contract, world.ids.foreign, reading)
    expect(atForeign.status).toBe(404)
    expect(atForeign).toEqual(await callOperation(world, contract, world.ids.unknown, reading))
  })
})

describe('refused while reading only', () => {
  it.each(listMarked('changes'))('$name', async ({ contract }) => {
    const ids = await prepareIds(world, contract, getPersona('owner'))
    const refused = await callOperation(world, contract, ids, reading)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('"code":"impersonation_read_only"')])
    const { status, text } = await callOperation(world, contract, ids, changing)
    expect(status, text).toBeLessThan(500)
    expect(text).not.toMatch(guardCodes)
  })
})

describe('addresses outside the contracts', () => {
  const guarded = Object.entries(gates).filter(([, gate]) =>
    ['access token', 'service key', 'agent token'].includes(gate),
  )

  it.each(guarded.map(([address]) => ({ address })))(
    '$address takes no token of an impersonation',
    async ({ address }) => {
      const [method = '', path = ''] = address.replaceAll(/\{\w+\}|\*/g, unknownId).split(' ')
      for (const { name, headers } of [reading, changing]) {
        const { status } = await askServer(world.server.url + path, {
          method,
          headers: { ...headers, apikey: world.server.publishableKey, 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: '{}' }),
        })
        expect([name, [401, 403].includes(status)]).toEqual([name, true])
      }
    },
  )
})
