import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltUser, createMember, createUser } from './testing/builders.ts'
import { createTestDatabase } from './testing/database.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import type { TestDatabase } from './testing/template-database.ts'

/*
 * Two processes of one instance behind a balancer: a change to a person in one of them applies in the other from the
 * next call on, however long the person's access token still lives.
 */
let database: TestDatabase
let one: TestServer
let other: TestServer
let organizationId: string
beforeAll(async () => {
  database = await createTestDatabase()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'shared', alg: 'ES256', key_ops: ['sign', 'verify'] }
  const env = { GOTRUE_JWT_KEYS: JSON.stringify([jwk]), APP_URL: 'http://earshot.example' }
  one = await startTestServer(env, database)
  other = await startTestServer(env, database)
  organizationId = (await createUser(one.client)).organizationId ?? ''
})
afterAll(async () => {
  await one?.stop()
  await other?.stop()
  await database?.drop()
})

async function createPerson(): Promise<{ user: BuiltUser; token: string }> {
  const user = await createMember(one.client, { organizationId, role: 'owner' })
  return { user, token: await one.signIn(user) }
}

/** What the other process lets the token's bearer see: of the product, of the account, and over the database's API. */
async function look(token: string, user: BuiltUser) {
  const product = await other.call(`/api/v1/organizations/${organizationId}/projects`, { token })
  const account = await other.call('/auth/v1/user', { token })
  const rpc = await other.call('/rest/v1/rpc/get_user_current_organization', { token, body: { p_user_id: user.id } })
  const rows = (await rpc.json()) as unknown
  return { product: product.status, account: account.status, sees: Array.isArray(rows) ? rows.length : 0 }
}

const changes: [string, (user: BuiltUser, token: string) => Promise<unknown>, { product: number; account: number }][] =
  [
    [
      'signed out there',
      (_user, token) => one.call('/auth/v1/logout?scope=local', { method: 'POST', token }),
      { product: 401, account: 403 },
    ],
    [
      'banned there',
      ({ id }) =>
        one.client.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [id]),
      { product: 403, account: 403 },
    ],
    [
      'deleted there',
      ({ id }) => one.client.query('delete from auth.users where id = $1', [id]),
      { product: 401, account: 403 },
    ],
    [
      'softly deleted there',
      ({ id }) => one.client.query('update auth.users set deleted_at = now() where id = $1', [id]),
      { product: 401, account: 403 },
    ],
  ]

describe('another process', () => {
  it('knows the sessions of this one', async () => {
    const { user, token } = await createPerson()
    expect(await look(token, user)).toEqual({ product: 200, account: 200, sees: 1 })
  })

  it.each(changes)('tells nothing to who was %s', async (_name, change, refusal) => {
    const { user, token } = await createPerson()
    expect((await look(token, user)).product).toBe(200)
    await change(user, token)
    expect(await look(token, user)).toEqual({ ...refusal, sees: 0 })
  })

  it('tells nothing of the organisation to who was taken out of it there', async () => {
    const { user, token } = await createPerson()
    await one.client.query('delete from public.memberships where user_id = $1', [user.id])
    expect(await look(token, user)).toEqual({ product: 404, account: 200, sees: 0 })
  })
})

it('a web process says that no worker is alive, and stays ready', async () => {
  const readJobs = async () => {
    const reply = await one.call('/ready')
    return [reply.status, ((await reply.json()) as { checks: { jobs: string } }).checks.jobs]
  }
  expect(await readJobs()).toEqual([200, 'no_worker'])
  await one.client.query(`insert into app.job_workers (worker_id) values ('of another process')`)
  expect(await readJobs()).toEqual([200, 'ok'])
  await one.client.query(`update app.job_workers set last_seen_at = now() - interval '61 seconds'`)
  expect(await readJobs()).toEqual([200, 'no_worker'])
})
