import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InstanceAuditEntry } from '#contract/superadmin-audit.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let superadmin: string
let owner: string
let first: string
let second: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
  // The first account of an instance is its superadmin.
  const admin = await createUser(server.client, { fullName: 'Sam Super' })
  superadmin = await server.signIn(admin)
  const one = await createUser(server.client, { organizationName: 'Compilers' })
  const two = await createUser(server.client, { organizationName: 'Engines' })
  owner = await server.signIn(one)
  first = one.organizationId ?? ''
  second = two.organizationId ?? ''
  for (const [organizationId, category] of [
    [first, 'keys'],
    [second, 'keys'],
    [first, 'data'],
  ]) {
    await server.client.query(
      `insert into audit_log (organization_id, action, actor_kind, category) values ($1, 'project.created', 'system', $2)`,
      [organizationId, category],
    )
  }
})
afterAll(() => server?.stop())

const call = (search: string, token = superadmin) => server.call(`/api/v1/superadmin/audit${search}`, { token })
async function list(search: string) {
  const reply = await call(search)
  expect(reply.status).toBe(200)
  return (await reply.json()) as { items: InstanceAuditEntry[]; nextCursor: string | null }
}

it('lists entries of all organisations, latest first', async () => {
  const { items } = await list('?category=keys')
  expect(items.map(({ organization }) => organization)).toEqual([
    { id: second, name: 'Engines' },
    { id: first, name: 'Compilers' },
  ])
})

it('filters by organisation', async () => {
  const { items } = await list(`?category=keys&organizationId=${second}`)
  expect(items.map(({ organization }) => organization?.name)).toEqual(['Engines'])
})

it('pages by cursor without losing or repeating an entry', async () => {
  const whole = await list('?category=keys')
  const page = await list('?category=keys&limit=1')
  const rest = await list(`?category=keys&limit=1&cursor=${page.nextCursor}`)
  expect([...page.items, ...rest.items]).toEqual(whole.items)
  expect(rest.nextCursor).toBeNull()
  const oldest = await list('?category=keys&order=oldest&limit=1')
  const later = await list(`?category=keys&order=oldest&limit=1&cursor=${oldest.nextCursor}`)
  expect([...oldest.items, ...later.items]).toEqual(whole.items.toReversed())
})

it('refuses a foreign cursor', async () => {
  expect((await call('?cursor=elsewhere')).status).toBe(400)
})

it('refuses owners', async () => {
  expect((await call('', owner)).status).toBe(403)
})

it('words changes of the instance, which belong to no organisation', async () => {
  await server.call('/api/v1/superadmin/blog/posts', {
    token: superadmin,
    body: { id: crypto.randomUUID(), title: 'In the log' },
  })
  const { items } = await list('?organizationId=00000000-0000-0000-0000-000000000000')
  expect(items[0]).toMatchObject({
    summary: 'Sam Super (superadmin) created the post In the log',
    target: { type: 'blog_post', name: 'In the log' },
    organization: null,
  })
})

it('is downloaded with the organisation of each entry, and the download is recorded', async () => {
  const reply = await server.call('/api/v1/superadmin/audit/exports', {
    token: superadmin,
    body: { format: 'csv', category: 'keys' },
  })
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-.*\.csv"$/)
  const [head, ...rows] = (await reply.text()).trim().split('\r\n')
  expect(head).toMatch(/organization_id,organization_name$/)
  expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
    [second, 'Engines'],
    [first, 'Compilers'],
  ])
  expect((await list('')).items[0]).toMatchObject({ action: 'audit.exported', organization: null })
})

describe('search by words', () => {
  beforeAll(async () => {
    for (const [actor, target, action] of [
      ['Ada Lovelace', 'bob.builder@example.com', 'user.banned'],
      ['Ada Lovelace', 'Straße 5 (Müller)', 'plan.updated'],
      ['Grace Hopper', 'bob.builder@example.com', 'user.unbanned'],
    ]) {
      await server.client.query(
        `insert into audit_log (organization_id, action, actor_kind, category, actor_name, target_name)
         values ('00000000-0000-0000-0000-000000000000', $1, 'superadmin', 'superadmin', $2, $3)`,
        [action, actor, target],
      )
    }
  })
  const find = async (words: string) =>
    (await list(`?search=${encodeURIComponent(words)}`)).items.map(
      ({ actor, action }) => `${actor.name?.split(' ')[0]} ${action}`,
    )

  it('finds begins of words of actor, target and action, all of which must be there', async () => {
    expect(await find('ada')).toEqual(['Ada plan.updated', 'Ada user.banned'])
    expect(await find('BUILD ban')).toEqual(['Ada user.banned'])
    expect(await find('bob.builder@example.com')).toEqual(['Grace user.unbanned', 'Ada user.banned'])
    expect(await find('müller')).toEqual(['Ada plan.updated'])
    expect(await find('ada hopper')).toEqual([])
  })

  it('takes signs as what stands between words', async () => {
    expect(await find("ada' & !(lovelace) | \\ :*")).toEqual(['Ada plan.updated', 'Ada user.banned'])
    expect((await find('!!')).length).toBeGreaterThan(3)
  })

  it('reads an index', async () => {
    await server.client.query('begin')
    await server.client.query('set local enable_seqscan = off')
    const { rows } = await server.client.query(
      `explain select id from audit_log where to_tsvector('simple', translate(coalesce(actor_name, '') || ' '
         || coalesce(target_name, '') || ' ' || action, '@._:+-/', '       ')) @@ to_tsquery('simple', '''ada'':*')`,
    )
    await server.client.query('rollback')
    expect(JSON.stringify(rows)).toContain('audit_log_words_idx')
  })
})
