import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Export } from '#contract/exports.ts'
import { createConversationLinks } from './features/feedback/conversation/conversation-link.ts'
import { createExportLinks } from './features/feedback/export/export-link.ts'
import { createFileLinks } from './features/files/serve/file-link.ts'
import { createUnsubscribeLinks } from './features/notifications/unsubscribe-link.ts'
import { loadInstanceSecret } from './platform/secret/instance-secret.ts'
import { isKeyColumn, readAccessPage } from './testing/access-page.ts'
import {
  type AccessWorld,
  callOperation,
  instanceSecret,
  listChangedTables,
  makeBody,
  openAccessWorld,
  prepareIds,
  siblingWords,
} from './testing/access-world.ts'
import { ask } from './testing/ask.ts'
import { findCanaries } from './testing/canaries.ts'
import { contracts } from './testing/contracts.ts'
import type { Gate } from './testing/facts.ts'
import { hideIds, listIdFields, pickForeignId, placeId } from './testing/foreign-ids.ts'
import { gates, ids as idFacts, routes as routeFacts } from './testing/gather-facts.ts'
import { type Persona, unknownId } from './testing/personas.ts'
import { startTestServer } from './testing/server.ts'

/*
 * Every operation × every kind of caller (server/testing/personas.ts) × ids of their own organisation, of another, and of
 * none. docs/access.md says who may call what; a caller who may not learns nothing, not even whether an id exists. Text
 * planted in every column of the foreign organisation must appear nowhere. A new contract is covered unasked.
 */
const accessLines = readAccessPage(readFileSync(join(import.meta.dirname, '../docs/access.md'), 'utf8'))
const operations = contracts.map((contract) => ({ contract, name: contract.operationId }))
const inOrganization = operations.filter(({ contract }) => contract.access.kind === 'organization')
const ofKeys = operations.filter(({ contract }) => contract.access.kind === 'api_key')
const ofSuperadmins = operations.filter(({ contract }) => contract.access.kind === 'superadmin')
const inAccount = operations.filter(({ contract }) => contract.access.kind === 'signed_in')

let world: AccessWorld
beforeAll(async () => {
  world = await openAccessWorld()
})
afterAll(() => world.stop())

/** @throws Error when there is no such persona. */
function getPersona(name: string): Persona {
  const persona = world.personas.find((each) => each.name === name)
  if (!persona) throw new Error(`there is no persona ${name}`)
  return persona
}

describe('docs/access.md', () => {
  it('has a line for each operation that the server offers, and no other', async () => {
    const document = (await (await world.server.call('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const offered = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(offered.sort()).toEqual([...accessLines.keys()].sort())
    expect(contracts.map(({ operationId }) => operationId).sort()).toEqual(offered)
  })

  it('lists every other address of the server, and no other', () => {
    const described = contracts.map(({ method, path }) => `${method} ${path}`)
    expect([...Object.keys(gates), ...described].sort()).toEqual(world.addresses.toSorted())
  })
})

describe.each(inOrganization)('$name', ({ contract }) => {
  const allowed = accessLines.get(contract.operationId)?.callers ?? new Set()
  /** Parameters of the address besides the organisation. */
  const hasInnerId = ['projectId', 'feedbackId', ...Object.keys(idFacts)].some((id) =>
    contract.path.includes(`{${id}}`),
  )

  it('refuses all others, the same for organisations that exist and that do not', async () => {
    const { personas, ids } = world
    const refused = await Promise.all(
      personas
        .filter(({ column }) => !allowed.has(column))
        .map(async (persona) => {
          const atUnknown = await callOperation(world, contract, ids.unknown, persona)
          const atForeign = persona.isForeigner ? atUnknown : await callOperation(world, contract, ids.foreign, persona)
          return { persona, atOwn: await callOperation(world, contract, ids.own, persona), atForeign, atUnknown }
        }),
    )
    for (const { persona, atOwn, atForeign, atUnknown } of refused) {
      const { name, column, refusal } = persona
      const isNoAccount = column === 'anyone' || isKeyColumn(column)
      expect([name, atOwn.status]).toEqual([name, refusal])
      expect([name, atForeign.status]).toEqual([name, isNoAccount ? refusal : 404])
      expect([name, atForeign]).toEqual([name, atUnknown])
      const isMember = !isNoAccount && column !== 'signed in'
      if (!isMember) expect([name, atOwn]).toEqual([name, atUnknown])
    }
  })

  it('serves those whom docs/access.md names', async () => {
    expect(allowed.size).toBeGreaterThan(0)
    for (const persona of world.personas.filter(({ column }) => allowed.has(column))) {
      const answer = await callOperation(world, contract, await prepareIds(world, contract, persona), persona)
      const { refusal } = routeFacts[contract.operationId] ?? {}
      if (refusal === undefined) expect(answer.status, `${persona.name}: ${answer.text}`).toBeLessThan(300)
      else expect(answer.text, persona.name).toContain(`"code":"${refusal}"`)
    }
  })

  it('answers ids of another organisation as ids that do not exist', async () => {
    const { own, ids } = world
    const inOwn = (inner: typeof ids.own) => ({ ...inner, organizationId: own.organizationId })
    for (const persona of world.personas.filter(({ column }) => allowed.has(column))) {
      const { name, column } = persona
      // A superadmin may enter every organisation, but reaches no row of one by way of another.
      if (column !== 'superadmin') {
        const other = await callOperation(world, contract, ids.foreign, persona)
        expect([name, other]).toEqual([name, await callOperation(world, contract, ids.unknown, persona)])
        expect([name, other.status]).toEqual([name, 404])
      }
      if (!hasInnerId) continue
      const inner = await callOperation(world, contract, inOwn(ids.foreign), persona)
      expect([name, inner]).toEqual([name, await callOperation(world, contract, inOwn(ids.unknown), persona)])
      expect([name, inner.status]).toEqual([name, 404])
    }
  })

  it('refuses malformed ids', async () => {
    const owner = getPersona('owner')
    for (const id of ['1', '..%2f..', '%00', 'a'.repeat(300), '%F0%9F%98%80', "';--"]) {
      const malformed = Object.fromEntries(Object.keys(world.ids.own).map((name) => [name, id]))
      expect([id, (await callOperation(world, contract, malformed, owner)).status]).toEqual([id, 404])
      if (!hasInnerId) continue
      const inner = await callOperation(
        world,
        contract,
        { ...malformed, organizationId: world.own.organizationId },
        owner,
      )
      expect([400, 404]).toContain(inner.status)
    }
  })

  it('has changed nothing of the other organisation', async () => {
    expect(await listChangedTables(world)).toEqual([])
  })
})

describe.each(ofKeys)('$name', ({ contract, name }) => {
  const allowed = accessLines.get(contract.operationId)?.callers ?? new Set()
  const hasId = contract.path.includes('{')
  // A deletion is safe to repeat: of what does not exist, nothing is left.
  const unknownStatus = contract.method === 'DELETE' ? 204 : 404
  const listKeys = (reach: Persona['reach']) =>
    world.personas.filter((persona) => persona.reach === reach && allowed.has(persona.column))
  /** Rows that keys of the project alone reach: an export that one of them requested, a visitor with an item there. */
  const makeOwn = async (persona: Persona, feedbackId: string): Promise<{ exportId?: string; key?: string }> => {
    if (contract.path.includes('{key}')) {
      await world.server.client.query('update feedback set visitor_id = $1 where id = $2', [
        `v_${feedbackId}`,
        feedbackId,
      ])
      return { key: `v_${feedbackId}` }
    }
    const making = ofKeys.find(({ name }) => name === 'apiCreateExport')
    if (!making || !contract.path.includes('{exportId}')) return {}
    const ids = await prepareIds(world, making.contract, persona)
    const { text } = await callOperation(world, making.contract, ids, persona)
    // The answer of its contract.
    return { exportId: (JSON.parse(text) as { id: string }).id }
  }

  it('refuses all others, whichever item they name', async () => {
    const refused = world.personas.filter(({ column }) => !allowed.has(column))
    expect(refused.length).toBeGreaterThan(world.personas.length / 2)
    for (const persona of refused) {
      const { name, column } = persona
      const answer = await callOperation(world, contract, world.ids.own, persona)
      expect([name, answer.status]).toEqual([name, isKeyColumn(column) ? 403 : 401])
      expect([name, answer]).toEqual([name, await callOperation(world, contract, world.ids.unknown, persona)])
    }
  })

  it('serves keys of its scope, each in its own project', async () => {
    const { own, sibling, foreign } = world
    const projects = { own, sibling, foreign }
    // What the other organisation's own key may change there, or has to make first, would hide what others must not.
    const changesForeign = contract.method !== 'GET' || /\{(exportId|key)\}/.test(contract.path)
    const reaches = changesForeign ? (['own', 'sibling'] as const) : (['own', 'sibling', 'foreign'] as const)
    for (const reach of reaches) {
      expect(listKeys(reach)).toHaveLength(1)
      for (const persona of listKeys(reach)) {
        const prepared = hasId ? world.ids.own : await prepareIds(world, contract, persona)
        const named = { ...prepared, ...projects[reach], ...(await makeOwn(persona, projects[reach].feedbackId)) }
        const answer = await callOperation(world, contract, named, persona)
        // No worker writes files here: key-exports.test.ts fetches one.
        if (name === 'apiGetExportFile') expect(answer.text).toContain('file_not_found')
        else expect(answer.status, `${persona.name}: ${answer.text}`).toBeLessThan(300)
        const others = Object.entries(projects).flatMap(([of, { projectId, feedbackId }]) =>
          of === reach ? [] : [projectId, feedbackId],
        )
        for (const id of others) expect(answer.text, persona.name).not.toContain(id)
        if (reach !== 'sibling') expect(answer.text, persona.name).not.toContain(siblingWords)
      }
    }
  })

  it('answers items of other projects as items that do not exist', async () => {
    if (!hasId) return
    const { own, sibling, foreign, ids } = world
    const projects = { own, sibling, foreign }
    for (const persona of listKeys('own').concat(listKeys('sibling'), listKeys('foreign'))) {
      const none = await callOperation(world, contract, ids.unknown, persona)
      expect([persona.name, none.status]).toEqual([persona.name, unknownStatus])
      for (const [of, { feedbackId }] of Object.entries(projects)) {
        if (of === persona.reach) continue
        const answer = await callOperation(world, contract, { ...ids.own, feedbackId }, persona)
        expect([persona.name, of, answer]).toEqual([persona.name, of, none])
      }
    }
  })

  it('refuses malformed ids', async () => {
    if (!hasId) return
    for (const persona of listKeys('own')) {
      for (const id of ['1', '..%2f..', '%00', 'a'.repeat(300), '%F0%9F%98%80', "';--"]) {
        const { status } = await callOperation(world, contract, { feedbackId: id }, persona)
        expect([id, [400, 404, unknownStatus].includes(status)]).toEqual([id, true])
      }
    }
  })
})

const withIds = [...inOrganization, ...ofKeys].flatMap(({ contract, name }) =>
  (['body', 'query'] as const).flatMap((part) =>
    listIdFields(contract[part]).map((field) => ({
      contract,
      part,
      field,
      name: `${name}: ${part}.${field.path.join('.')}`,
    })),
  ),
)

describe('an id of another organisation', () => {
  it.each(withIds)('is as good as one that does not exist: $name', async ({ contract, part, field }) => {
    const { access } = contract
    const callers = access.kind === 'api_key' ? [`${access.scope} key`] : ['owner', 'superadmin']
    for (const persona of callers.map(getPersona)) {
      const send = async (id: string) => {
        const body = part === 'body' ? { body: placeId(makeBody(world, contract), field, id) } : {}
        const query = part === 'query' ? { query: `${field.path[0]}=${id}` } : {}
        return hideIds(
          await callOperation(world, contract, await prepareIds(world, contract, persona), persona, {
            ...body,
            ...query,
          }),
        )
      }
      const none = await send(unknownId)
      expect(await send(pickForeignId(field, world.foreign))).toEqual(none)
      if (access.kind === 'api_key') expect(await send(pickForeignId(field, world.sibling))).toEqual(none)
    }
    expect(await listChangedTables(world)).toEqual([])
  })
})

describe.each(inAccount)('$name', ({ contract }) => {
  const allowed = accessLines.get(contract.operationId)?.callers ?? new Set()

  it('answers accounts in good standing alone', async () => {
    for (const persona of world.personas) {
      const { status, text } = await callOperation(world, contract, world.ids.own, persona)
      if (!allowed.has(persona.column)) expect([persona.name, status]).toEqual([persona.name, persona.refusal])
      else expect(text, persona.name).not.toMatch(guardCodes)
    }
  })
})

describe.each(ofSuperadmins)('$name', ({ contract }) => {
  it('refuses all others, whatever they name', async () => {
    for (const persona of world.personas.filter(({ column }) => column !== 'superadmin')) {
      const answer = await callOperation(world, contract, world.ids.own, persona)
      const isNoAccount = persona.column === 'anyone' || isKeyColumn(persona.column)
      expect([persona.name, answer.status]).toEqual([persona.name, isNoAccount ? persona.refusal : 403])
      expect([persona.name, answer]).toEqual([
        persona.name,
        await callOperation(world, contract, world.ids.unknown, persona),
      ])
    }
  })

  it('serves superadmins, and answers ids that do not exist with 404', async () => {
    const persona = getPersona('superadmin')
    const answer = await callOperation(world, contract, await prepareIds(world, contract, persona), persona)
    const { refusal } = routeFacts[contract.operationId] ?? {}
    if (refusal === undefined) expect(answer.status, answer.text).toBeLessThan(300)
    else expect(answer.text).toContain(`"code":"${refusal}"`)
    if (!contract.path.includes('{')) return
    expect((await callOperation(world, contract, world.ids.unknown, persona)).status).toBe(404)
  })
})

/** What the guard answers; an operation's own refusals have other codes. */
const guardCodes = /"code":"(unauthenticated|token_expired|user_banned|email_not_verified|permission_denied)"/

describe('an address that is a right by itself', () => {
  const made: Record<string, string> = {}
  /** Each is opened by the token of its own name. */
  const addresses = {
    conversation: (token: string) => ({ path: `/api/v1/conversations/${token}` }),
    subscription: (token: string) => ({ path: `/api/v1/subscriptions/${token}` }),
    invitation: (token: string) => ({ path: `/api/v1/invitations/${token}` }),
    unsubscribe: (token: string) => ({ path: `/unsubscribe/${token}`, method: 'POST' }),
    file: (token: string) => ({ path: `/f/${token}` }),
    export: (token: string) => ({ path: `/x/${token}` }),
  }
  const visit = async (name: keyof typeof addresses, token: string) => {
    const { path, ...options } = { method: 'GET', ...addresses[name](token) }
    return ask(world.server.url + path, options)
  }

  beforeAll(async () => {
    const { own, server } = world
    const secret = await loadInstanceSecret({ dataDir: '', configured: instanceSecret })
    const other = await loadInstanceSecret({ dataDir: '', configured: `${instanceSecret}, another` })
    const { organizationId, feedbackId, ownerId: userId } = own
    for (const [prefix, { deriveKey }] of [['', secret] as const, ['another instance’s ', other] as const]) {
      const conversations = createConversationLinks(deriveKey('addresses of conversations'))
      made[`${prefix}conversation`] = conversations.writeToken({ organizationId, feedbackId })
      const subscriptions = createUnsubscribeLinks(deriveKey('addresses that unsubscribe'))
      made[`${prefix}subscription`] = subscriptions.writeToken({ organizationId, userId, list: 'personal' })
      const files = createFileLinks(deriveKey('addresses of files'))
      const storageKey = `${organizationId}/${feedbackId}`
      made[`${prefix}file`] = files.make({ storageKey, form: 'original' }).slice(3)
      const exports = createExportLinks(deriveKey('addresses of exports'))
      made[`${prefix}export`] = exports
        .make({ organizationId, exportId: world.ids.own.exportId ?? '', userId })
        .slice(3)
    }
    made.unsubscribe = made.subscription ?? ''
    await server.call(`/api/v1/organizations/${organizationId}/invitations`, {
      token: getPersona('owner').headers.authorization?.slice(7) ?? '',
      body: { email: 'linked@example.com', role: 'viewer' },
    })
    const text = (await server.mails()).findLast(({ to }) => to === 'linked@example.com')?.text ?? ''
    made.invitation = /accept-invitation\/([\w-]+)/.exec(text)?.[1] ?? ''
    made['widget key'] = (await server.client.query('select key from widgets')).rows[0].key as string
    made['publishable key'] = server.publishableKey
  })

  it.each(['conversation', 'subscription', 'invitation', 'unsubscribe'] as const)('opens %s', async (name) => {
    expect((await visit(name, made[name] ?? '')).status).toBeLessThan(300)
  })

  it.each(Object.keys(addresses) as (keyof typeof addresses)[])('opens %s for no other token', async (name) => {
    const none = await visit(name, 'A'.repeat(64))
    expect(none.status).toBe(404)
    const own = made[name] ?? ''
    const others = Object.entries(made).filter(([, token]) => token !== own)
    const changed = {
      'cut off': own.slice(0, -1),
      'one letter changed': `${own[0] === 'A' ? 'B' : 'A'}${own.slice(1)}`,
    }
    for (const [kind, token] of [...others, ...Object.entries(changed)]) {
      expect([kind, await visit(name, token)]).toEqual([kind, none])
    }
  })
})

describe('addresses outside the contracts', () => {
  const listGated = (gate: Gate) =>
    Object.entries(gates).flatMap(([address, each]) => (each === gate ? [{ address }] : []))
  const visit = (address: string, headers: Readonly<Record<string, string>>) => {
    const [method = '', path = ''] = address.replaceAll(/\{\w+\}|\*/g, unknownId).split(' ')
    const body = method === 'GET' ? {} : { body: '{}' }
    return ask(world.server.url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...body,
    })
  }

  it.each(listGated('service key'))('$address answers no one but the operator', async ({ address }) => {
    for (const { name, headers } of world.personas) {
      const { status } = await visit(address, { ...headers, apikey: world.server.publishableKey })
      expect([name, [401, 403].includes(status)]).toEqual([name, true])
    }
  })

  it.each(listGated('access token'))('$address answers no one without a session', async ({ address }) => {
    for (const { name, headers } of world.personas.filter(({ refusal }) => refusal === 401)) {
      const { status } = await visit(address, { ...headers, apikey: world.server.publishableKey })
      expect([name, [401, 403].includes(status)]).toEqual([name, true])
    }
  })

  it.each(['publishable key', 'access token', 'service key'] as const)(
    'answer no one without a key: %s',
    async (gate) => {
      const { headers } = getPersona('owner')
      for (const { address } of listGated(gate)) {
        expect([address, (await visit(address, headers)).status]).toEqual([address, 401])
        const { status } = await visit(address, {
          ...headers,
          apikey: 'sb_publishable_AAAAAAAAAAAAAAAAAAAAAA_AAAAAAAA',
        })
        expect([address, status]).toEqual([address, 401])
      }
    },
  )
})

describe('/mcp', () => {
  const callTool = async ({ headers }: Persona, name: string, input: Record<string, unknown>) => {
    // The revision 2026-07-28, which answers with JSON.
    const revision = '2026-07-28'
    const meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name, arguments: input, _meta: meta }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const accept = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }
    const answer = await ask(`${world.server.url}/mcp`, { method: 'POST', headers: { ...headers, ...accept }, body })
    return { ...answer, text: answer.text.replaceAll(/requestId[\\":]+[\w-]{36}/g, '') }
  }
  const isServed = ({ appOf, column }: Persona) => appOf !== undefined || column === 'read key'

  it('answers connected apps and keys that read, and no one else', async () => {
    for (const persona of world.personas) {
      const { status } = await callTool(persona, 'list_projects', {})
      const refusal = persona.column === 'write key' ? 403 : 401
      expect([persona.name, status]).toEqual([persona.name, isServed(persona) ? 200 : refusal])
    }
    expect(world.personas.filter(isServed).length).toBeGreaterThanOrEqual(6)
  })

  it('shows each of them their own items, and those of others as items that do not exist', async () => {
    const { own, sibling, foreign } = world
    for (const persona of world.personas.filter(isServed)) {
      const { appOf, reach, name } = persona
      const reached = {
        own: appOf === 'own' || reach === 'own',
        sibling: appOf === 'own' || reach === 'sibling',
        foreign: appOf === 'foreign' || reach === 'foreign',
      }
      const none = await callTool(persona, 'get_feedback', { id: unknownId })
      expect([name, none.text]).toEqual([name, expect.stringContaining('feedback_not_found')])
      const { text: listed } = await callTool(persona, 'list_feedback', { limit: 50 })
      for (const [of, { feedbackId }] of Object.entries({ own, sibling, foreign })) {
        const isReached = reached[of as keyof typeof reached]
        for (const tool of ['get_feedback', 'find_similar_feedback']) {
          const answer = await callTool(persona, tool, { id: feedbackId })
          if (isReached) expect([name, of, answer.text]).toEqual([name, of, expect.not.stringContaining('not_found')])
          else expect([name, of, answer]).toEqual([name, of, none])
        }
        if (!isReached) expect([name, of, listed.includes(feedbackId)]).toEqual([name, of, false])
      }
      if (!reached.foreign) expect([name, findCanaries(listed)]).toEqual([name, []])
    }
    expect(await listChangedTables(world)).toEqual([])
  })
})

describe('a closed organisation', () => {
  const close = (isClosed: boolean) =>
    world.server.client.query(
      `update organizations set closed_at = ${isClosed ? 'now()' : 'null'},
         delete_after = ${isClosed ? `now() + interval '1 day'` : 'null'} where id = $1`,
      [world.own.organizationId],
    )
  beforeAll(() => close(true))
  afterAll(() => close(false))
  const shut = inOrganization.filter(
    ({ contract: { access } }) => access.kind === 'organization' && access.evenClosed !== true,
  )

  it('tells its members that it is closed, whatever they ask', async () => {
    for (const { contract, name } of shut) {
      const answer = await callOperation(world, contract, world.ids.own, getPersona('owner'))
      expect([name, answer.text]).toEqual([name, expect.stringContaining('"code":"organization_closed"')])
    }
  })

  it('is unknown to all others as before', async () => {
    for (const { contract, name } of shut) {
      for (const persona of [getPersona('removed owner'), getPersona('account without organisation')]) {
        const answer = await callOperation(world, contract, world.ids.own, persona)
        expect([name, answer]).toEqual([name, await callOperation(world, contract, world.ids.unknown, persona)])
      }
    }
  })

  it('takes its API keys along', async () => {
    for (const { contract } of ofKeys) {
      for (const persona of ['read key', 'write key'].map(getPersona)) {
        const call = async () => (await callOperation(world, contract, world.ids.own, persona)).status
        await expect.poll(call).toBe(401)
      }
    }
  })
})

describe('a suspended organisation', () => {
  const suspend = (isSuspended: boolean) =>
    world.server.client.query(
      `update organizations set suspended_at = ${isSuspended ? 'now()' : 'null'} where id = $1`,
      [world.own.organizationId],
    )
  beforeAll(() => suspend(true))
  afterAll(() => suspend(false))
  const even = (contract: (typeof inOrganization)[number]['contract']) =>
    contract.access.kind === 'organization' ? contract.access.evenSuspended : undefined
  const stopped = inOrganization.filter(({ contract }) => even(contract) === undefined)
  const served = inOrganization.filter(({ contract }) => even(contract) !== undefined)
  const refusal = '"code":"organization_suspended"'
  const members = ['owner', 'admin', 'member', 'viewer']

  it('tells its members that it is suspended, whatever they ask', async () => {
    for (const { contract, name } of stopped) {
      for (const persona of members.map(getPersona)) {
        const answer = await callOperation(world, contract, world.ids.own, persona)
        expect([name, persona.name, answer.status]).toEqual([name, persona.name, 403])
        expect([name, persona.name, answer.text]).toEqual([name, persona.name, expect.stringContaining(refusal)])
      }
    }
  })

  it('leaves its owners what they need to pay, and to take their data away', async () => {
    for (const { contract, name } of served) {
      const allowed = accessLines.get(contract.operationId)?.callers ?? new Set()
      for (const persona of members.map(getPersona)) {
        if (!allowed.has(persona.column)) continue
        const isServed = even(contract) === 'members' || persona.name === 'owner'
        const ids = isServed ? await prepareIds(world, contract, persona) : world.ids.own
        const answer = await callOperation(world, contract, ids, persona)
        // What an operation itself prepares or undoes may have lifted it.
        await suspend(true)
        const { refusal: own } = routeFacts[contract.operationId] ?? {}
        const expected = isServed ? own : 'organization_suspended'
        if (expected === undefined)
          expect([name, persona.name, answer.status < 300]).toEqual([name, persona.name, true])
        else expect([name, persona.name, answer.text]).toEqual([name, persona.name, expect.stringContaining(expected)])
      }
    }
  })

  it('lets superadmins in as before', async () => {
    for (const { contract, name } of stopped) {
      const persona = getPersona('superadmin')
      const answer = await callOperation(world, contract, await prepareIds(world, contract, persona), persona)
      const { refusal: own } = routeFacts[contract.operationId] ?? {}
      if (own === undefined) expect([name, answer.text, answer.status < 300]).toEqual([name, answer.text, true])
      else expect([name, answer.text]).toEqual([name, expect.stringContaining(own)])
    }
  })

  it('is unknown to all others as before', async () => {
    for (const { contract, name } of inOrganization) {
      for (const persona of [getPersona('removed owner'), getPersona('account without organisation')]) {
        const answer = await callOperation(world, contract, world.ids.own, persona)
        expect([name, answer]).toEqual([name, await callOperation(world, contract, world.ids.unknown, persona)])
      }
    }
  })

  it('stops its API keys', async () => {
    for (const { contract, name } of ofKeys) {
      for (const persona of ['read key', 'write key'].map(getPersona)) {
        const call = async () => (await callOperation(world, contract, world.ids.own, persona)).text
        await expect.poll(call, { message: name }).toContain(refusal)
      }
    }
  })
})

describe('text of another organisation', () => {
  it('is shown to its own members', async () => {
    const foreignOwner = getPersona('foreign owner')
    const seen = new Set<string>()
    for (const { contract } of inOrganization.filter(({ contract: { method } }) => method === 'GET')) {
      const answer = await callOperation(world, contract, world.ids.foreign, foreignOwner)
      for (const word of findCanaries(answer.text)) seen.add(world.planted.get(word) ?? '')
    }
    // Else the search for it would prove nothing.
    expect([...seen]).toEqual(expect.arrayContaining(['public.feedback.message', 'public.visitors.email']))
    expect(seen.size).toBeGreaterThanOrEqual(34)
  })

  it('is in no log line, email, job or file of anyone else', async () => {
    const { server, own } = world
    const owner = getPersona('owner')
    const token = owner.headers.authorization?.slice(7) ?? ''
    const path = `/api/v1/organizations/${own.organizationId}/exports`
    const { rows: jobs } = await server.client.query('select j::text from graphile_worker._private_jobs j')
    expect(jobs.length).toBeGreaterThan(10)
    // Hundreds by now; what they would do is done again once.
    await server.client.query('delete from exports')
    await server.client.query('delete from graphile_worker._private_jobs')
    const exports = ['csv', 'json'].map((format) => ({ id: crypto.randomUUID(), format, selection: {} }))
    for (const body of exports) expect((await server.call(path, { token, body })).status).toBe(201)
    const note = { id: crypto.randomUUID(), kind: 'note', text: `Look here, <@${own.viewerId}>.` }
    const comments = `/api/v1/organizations/${own.organizationId}/feedback/${own.feedbackId}/comments`
    expect((await server.call(comments, { token, body: note })).status).toBe(201)

    const worker = await startTestServer({ ...world.env, SERVICES: 'web,worker' }, { url: server.databaseUrl })
    const files: string[] = []
    try {
      for (const { id } of exports) {
        const read = async () => (await (await server.call(`${path}/${id}`, { token })).json()) as Export
        await expect.poll(async () => (await read()).state, { timeout: 30_000 }).toBe('ready')
        files.push((await ask(server.url + (await read()).downloadUrl)).text)
      }
    } finally {
      await worker.stop()
    }
    expect(files.filter((text) => text.includes('The button does nothing.'))).toHaveLength(exports.length)
    const { rows: emails } = await server.client.query('select e::text from app.emails e')
    const found = findCanaries(JSON.stringify([jobs, files, emails, server.logLines, worker.logLines]))
    expect(found.map((word) => world.planted.get(word))).toEqual([])
  })
})
