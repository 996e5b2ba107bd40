import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RouteContract } from '#contract/route.ts'
import { loadSigningKeys } from './features/auth/keys/signing-keys.ts'
import { isKeyColumn, readAccessPage } from './testing/access-page.ts'
import {
  type AccessWorld,
  callOperation,
  digestTables,
  type Ids,
  openAccessWorld,
  prepareIds,
} from './testing/access-world.ts'
import { type Answer, ask } from './testing/ask.ts'
import { createFeedback } from './testing/builders.ts'
import { contracts } from './testing/contracts.ts'
import { gates, routes as routeFacts } from './testing/gather-facts.ts'
import { type Persona, unknownId } from './testing/personas.ts'

/*
 * Every route of the server while the instance is read-only: each write is refused, each read works, and nothing of an
 * organisation changes. A new route is covered unasked.
 */
const accessLines = readAccessPage(readFileSync(join(import.meta.dirname, '../docs/access.md'), 'utf8'))
const message = 'The database moves to a larger server.'
let world: AccessWorld
let serviceKey: string
let before: Readonly<Record<string, string>>
/** How each read is called, and what it answered before. */
const calls = new Map<string, { persona: Persona; ids: Ids; status: number }>()

beforeAll(async () => {
  world = await openAccessWorld()
  const { GOTRUE_JWT_KEYS: configuredKeys = '', DATA_DIR: dataDir = '' } = world.env
  serviceKey = (await loadSigningKeys({ dataDir, configuredKeys, sharedSecret: null })).secretKey
})
afterAll(() => world?.stop())

async function turnOn(): Promise<void> {
  await world.server.client.query(
    `insert into app.read_only_periods (message, turned_on_by) values ($1, 'a test') on conflict do nothing`,
    [message],
  )
  await vi.waitFor(async () => expect(await readMode()).not.toBeNull())
}

async function readMode(): Promise<unknown> {
  const reply = await world.server.call('/api/v1/maintenance')
  return ((await reply.json()) as { readOnly: unknown }).readOnly
}

/** Reads that answer with a refusal here at any time, each for a reason. */
const refusedReads: Readonly<Record<string, string>> = {
  listCoupons: 'Stripe is not configured.',
  listGithubRepositories: 'No GitHub App is connected.',
  listTrackerStatuses: 'No tracker is connected.',
  getImpersonation: 'The caller is not impersonating.',
  getConversation: 'Its address is made with a secret.',
  getSubscription: 'Its address is made with a secret.',
  getInvitation: 'Its address is made with a secret.',
  apiGetExport: 'A key reads only exports that it has made.',
  apiGetExportFile: 'A key reads only exports that it has made.',
}
/** Parameters that are no ids. */
async function nameParameters({ operationId }: RouteContract): Promise<Ids> {
  const { feedbackId } = world.own
  if (operationId === 'findOrganizationOf') return { linked: 'feedback', id: feedbackId }
  if (operationId === 'getWidgetTexts') return { locale: 'de' }
  if (operationId === 'readGuide') return { path: 'monitoring' }
  if (operationId === 'listOwnItems') return { widgetKey: await findWidgetKey() }
  if (operationId === 'apiGetVisitor') {
    const { client } = world.server
    const { id } = await createFeedback(client, {
      organizationId: world.own.organizationId,
      projectId: world.own.projectId,
    })
    await client.query(`update feedback set visitor_id = 'v_read' where id = $1`, [id])
    return { key: 'v_read' }
  }
  return {}
}

const isRead = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
const addressOf = ({ method, path }: RouteContract) => `${method} ${path}`

/** Someone who may make the call. */
function findCaller({ operationId }: RouteContract): Persona {
  const callers = accessLines.get(operationId)?.callers ?? new Set()
  const found = ['owner', 'superadmin', 'write key', 'read key', 'account without organisation', 'anyone']
    .map((name) => world.personas.find((each) => each.name === name))
    .find((persona) => persona && callers.has(persona.column))
  const persona = found ?? world.personas.find(({ column }) => callers.has(column))
  if (!persona) throw new Error(`no one may call ${operationId}`)
  return persona
}

function expectRefusal(name: string, { status, headers, text }: Answer): void {
  expect([name, status, text]).toEqual([name, 503, expect.stringContaining(message)])
  expect([name, Number(headers['retry-after'])]).toEqual([name, 60])
  expect([name, headers['earshot-read-only']]).toEqual([name, '1'])
}

async function expectUnchanged(): Promise<void> {
  const after = await digestTables(world.server, world.own)
  expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([])
}

describe('before the instance is read-only', () => {
  it('answers reads', async () => {
    const reads = contracts.filter(({ method }) => isRead(method))
    // One after the other: some make rows of the organisation, or close it, for the time of the call.
    for (const contract of reads) {
      const persona = findCaller(contract)
      const isPerson = persona.column !== 'anyone' && !isKeyColumn(persona.column)
      const known = isPerson ? await prepareIds(world, contract, persona) : world.ids.own
      const ids = { ...known, ...(await nameParameters(contract)) }
      const { status } = await callOperation(world, contract, ids, persona)
      calls.set(contract.operationId, { persona, ids, status })
    }
    const failing = [...calls].flatMap(([name, { status }]) => (status < 300 ? [] : [name]))
    expect(failing.toSorted()).toEqual(Object.keys(refusedReads).toSorted())
    await turnOn()
    before = await digestTables(world.server, world.own)
  })
})

describe('while the instance is read-only', () => {
  const writing = contracts.filter(({ method }) => !isRead(method))
  const reading = contracts.filter(({ method }) => isRead(method))

  it('serves these writes alone, each for a reason', () => {
    expect(Object.fromEntries(world.servedReadOnly)).toEqual({
      'POST /api/v1/organizations/{organizationId}/audit/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/audit/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/blog/posts/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/coupons/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/email-suppressions/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/emails/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/metrics/organizations/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/monitoring/failed-jobs/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/monitoring/slow-queries/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/organizations/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/plans/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/revenue/parts/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/subscriptions/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/users/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/widget-test/projects/exports': 'it reads, and the download is recorded',
      'POST /api/v1/superadmin/blog/preview': 'it only renders',
      'POST /api/v1/superadmin/email-templates/{emailTemplateId}/previews': 'it only renders',
      'POST /api/v1/impersonation/end': 'an impersonation can always be ended',
      'PUT /api/v1/superadmin/maintenance': 'superadmins end it, and correct its message',
      'DELETE /api/v1/superadmin/maintenance': 'superadmins end it, and correct its message',
      'POST /auth/v1/callback': 'members sign in with Google; no account is created',
      'POST /auth/v1/logout': 'people sign out',
      'POST /auth/v1/otp': 'members get the link that signs in; no account is created',
      'POST /auth/v1/token': 'people sign in and stay signed in',
      'POST /auth/v1/verify': 'members sign in by a code; what would change an account is refused within',
      'POST /auth/v1/verify/link': 'members sign in by a link; what would change an account is refused within',
      'POST /rest/v1/rpc/{name}': 'the functions only read',
      'POST /oauth/token': 'connected apps go on reading',
      'POST /oauth/revoke': 'connected apps sign out',
      'POST /e/{widgetKey}/n/{event}': 'counted in memory, and written when it is over',
      'POST /mcp': 'tools that only read; those that write are refused within',
      'DELETE /mcp': 'tools that only read; those that write are refused within',
    })
  })

  it.each(writing.map((contract) => ({ contract, name: contract.operationId })))(
    'refuses $name',
    async ({ contract, name }) => {
      if (world.servedReadOnly.has(addressOf(contract))) return
      // A fake address of a visitor's page or a link is refused before, as at any other time.
      const path = contract.path.replace('{widgetKey}', await findWidgetKey())
      const answer = await callOperation(world, { ...contract, path }, world.ids.own, findCaller(contract))
      expectRefusal(name, answer)
      expect(JSON.parse(answer.text.replace(',}', '}'))).toMatchObject({ code: 'read_only', status: 503 })
    },
  )

  it.each(reading.map((contract) => ({ contract, name: contract.operationId })))(
    'serves $name as before',
    async ({ contract, name }) => {
      const { persona, ids, status } = calls.get(name) ?? {}
      if (!persona || !ids) throw new Error(`${name} was not called before`)
      const { renew, undo } = routeFacts[name] ?? {}
      // Rows that the calls of other routes took away.
      if (renew) {
        await world.server.client.query(renew({ ...world.ids.own, organizationId: world.own.organizationId }))
        before = await digestTables(world.server, world.own)
      }
      const answer = await callOperation(world, contract, ids, persona)
      expect([name, answer.status, answer.text]).toEqual([
        name,
        status,
        expect.not.stringContaining('"code":"read_only'),
      ])
      if (undo) before = await digestTables(world.server, world.own)
      else if (renew) await expectUnchanged()
    },
  )

  it('refuses writes outside the contracts', async () => {
    const owner = world.personas.find(({ name }) => name === 'owner')
    for (const [address, gate] of Object.entries(gates)) {
      const [method = '', path = ''] = address.split(' ')
      // Its secret is not configured here: it refuses everyone.
      if (isRead(method) || world.servedReadOnly.has(address) || path === '/api/v1/email-bounces') continue
      const at = path.replace('{widgetKey}', await findWidgetKey()).replaceAll(/\{\w+\}|\*/g, unknownId)
      const answer = await ask(world.server.url + at, {
        method,
        headers: {
          ...(gate === 'service key' ? {} : owner?.headers),
          apikey: gate === 'service key' ? serviceKey : world.server.publishableKey,
          'content-type': 'application/json',
        },
        body: '{}',
      })
      expectRefusal(address, answer)
    }
  })

  it('has changed nothing of an organisation', async () => {
    await expectUnchanged()
  })

  it('answers addresses that do not exist as ever', async () => {
    expect((await world.server.call('/api/v1/nowhere', { body: {} })).status).toBe(404)
  })

  it('stays ready, and says so', async () => {
    const reply = await world.server.call('/ready')
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { status: 'ready', checks: expect.objectContaining({ writes: 'read_only', database: 'ok' }) },
    ])
  })

  it('takes writes again as soon as it is over', async () => {
    const { client } = world.server
    await client.query('update app.read_only_periods set ended_at = now() where ended_at is null')
    await expect.poll(readMode).toBeNull()
    const contract = contracts.find(({ operationId }) => operationId === 'createProject')
    if (!contract) throw new Error('there is no createProject')
    const answer = await callOperation(world, contract, world.ids.own, findCaller(contract))
    expect([answer.status, answer.headers['earshot-read-only']]).toEqual([201, undefined])
  })
})

let widgetKey: string | undefined
async function findWidgetKey(): Promise<string> {
  const { client } = world.server
  widgetKey ??= (await client.query('select key from widgets where project_id = $1', [world.own.projectId])).rows[0].key
  return widgetKey ?? ''
}
