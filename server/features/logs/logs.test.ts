import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogLine, LogPage, LogStatus } from '#contract/superadmin-logs.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const path = '/api/v1/superadmin/logs'
let server: TestServer
let superadmin: string
let member: string
let memberId: string

beforeAll(async () => {
  server = await startTestServer()
  superadmin = await server.signIn(await createUser(server.client))
  const user = await createUser(server.client)
  memberId = user.id
  member = await server.signIn(user)
})
afterAll(() => server?.stop())

const url = (query: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(query)}`

async function search(query: Readonly<Record<string, string>> = {}): Promise<LogPage> {
  const reply = await server.call(url(query), { token: superadmin })
  expect(reply.status, await reply.clone().text()).toBe(200)
  return (await reply.json()) as LogPage
}

/** Waits until the search finds so many lines. */
async function find(query: Readonly<Record<string, string>>, count = 1): Promise<LogLine[]> {
  let items: LogLine[] = []
  await expect
    .poll(
      async () => {
        items = (await search(query)).items
        return items.length
      },
      { interval: 50, timeout: 8_000 },
    )
    .toBe(count)
  return items
}

describe('GET /api/v1/superadmin/logs', () => {
  it('finds lines by words, parts of words, phrases, level, request id and process, and all of them together', async () => {
    const requestId = crypto.randomUUID()
    server.log.info({ requestId, projectId: 'p-1' }, 'the wombat export was finished')
    server.log.warn({ requestId }, 'wombat delivery refused: ECONNREFUSED')
    server.log.error({ err: new Error('the wombat broke') }, 'job failed')
    const lines = await find({ search: 'wombat' }, 3)
    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn', 'info'])
    expect(lines[2]).toEqual({
      id: expect.stringMatching(/^\d{10}-\d+$/),
      at: expect.stringMatching(/^\d{4}-/),
      level: 'info',
      process: expect.stringMatching(/:\d+$/),
      requestId,
      message: 'the wombat export was finished',
      fields: { projectId: 'p-1' },
    })
    const messages = async (query: Readonly<Record<string, string>>) =>
      (await search(query)).items.map(({ message }) => message)
    const [first, second] = ['the wombat export was finished', 'wombat delivery refused: ECONNREFUSED']
    expect(await messages({ search: 'WOMBAT econnref' })).toEqual([second])
    expect(await messages({ search: 'omba "export was"' })).toEqual([first])
    expect(await messages({ search: '"was export"' })).toEqual([])
    expect(await messages({ search: 'wombat %' })).toEqual([])
    expect(await messages({ search: 'wombat', level: 'warn' })).toEqual(['job failed', second])
    expect(await messages({ requestId })).toEqual([second, first])
    expect(await messages({ search: requestId })).toEqual([second, first])
    expect(await messages({ requestId, level: 'warn', search: 'wombat', process: lines[0]?.process ?? '' })).toEqual([
      second,
    ])
    expect(await messages({ search: 'wombat', process: 'elsewhere:1' })).toEqual([])
    const at = lines[1]?.at ?? ''
    expect(await messages({ search: 'wombat', to: at })).not.toContain(second)
    expect(await messages({ search: 'wombat', from: at })).toContain(second)
    expect(await messages({ search: 'wombat', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })).toEqual([])
  })

  it('pages in both directions without gaps and repetitions', async () => {
    for (let n = 0; n < 25; n++) server.log.info(`numbat ${n}`)
    const all = await find({ search: 'numbat' }, 25)
    const ids = all.map(({ id }) => id)
    const down: string[] = []
    let before: string | null = null
    do {
      const page: LogPage = await search({ search: 'numbat', limit: '7', ...(before && { before }) })
      down.push(...page.items.map(({ id }) => id))
      before = page.olderThan
    } while (before !== null)
    expect(down).toEqual(ids)
    const up: string[] = []
    let after: string | null = ids.at(-1) ?? null
    while (after !== null) {
      const page: LogPage = await search({ search: 'numbat', limit: '7', after })
      up.unshift(...page.items.map(({ id }) => id))
      after = page.newerThan
    }
    expect([...up, ids.at(-1)]).toEqual(ids)
    const middle = await search({ search: 'numbat', after: ids[10] ?? '', limit: '3' })
    expect(middle.items.map(({ id }) => id)).toEqual(ids.slice(7, 10))
    const older = await search({ search: 'numbat', before: middle.olderThan ?? '', limit: '2' })
    expect(older.items.map(({ id }) => id)).toEqual(ids.slice(10, 12))
  })

  it('stores and shows hostile text, and cuts a line of a megabyte with a note', async () => {
    const text = 'quokka \u0000\u001b[31m\u202e half \ud800 \u2028 "quoted" \\ back 日本語 \u{1f600}'
    server.log.warn({ field: text, [`name ${text}`]: 1, requestId: 'r\u0000\ud800' }, text)
    server.log.warn({ big: 'b'.repeat(1_000_000) }, 'a huge quokka')
    const [huge, hostile] = await find({ search: 'quokka' }, 2)
    expect(huge?.fields.cut).toMatch(/^The line had 1,?0\d+ characters\.$/)
    expect(JSON.stringify(huge).length).toBeLessThan(40_000)
    expect(hostile?.message).toContain('\u2400\u001b[31m\u202e half \ufffd')
    expect(hostile?.fields.field).toContain('\u0000')
    for (const search of ['"quoted"', '"\\ back"', '日本', '\u{1f600}']) {
      expect((await find({ search: `quokka ${search}` })).length).toBe(1)
    }
  })

  it('takes patterns as text, so that none runs for ever', async () => {
    const near = `potto ${'a'.repeat(20_000)}!`
    for (let n = 0; n < 20; n++) server.log.info({ n, near }, near)
    server.log.info('potto with (a+)+$ and %_%a')
    await find({ search: 'potto' }, 21)
    expect(await find({ search: 'potto (a+)+$' })).toHaveLength(1)
    expect(await find({ search: 'potto %_%a' })).toHaveLength(1)
    const hostile = Array.from({ length: 12 }, (_, n) => `%_${'%a_'.repeat(n + 1)}`).join(' ')
    let page = await search({ search: hostile })
    // On a busy machine each request searches some of the lines.
    for (let times = 1; page.searchedTo !== null && times < 20; times += 1) {
      page = await search({ search: hostile, before: page.olderThan ?? '' })
    }
    expect(page).toMatchObject({ items: [], searchedTo: null })
  })

  it('ends a search that the database holds up, and says what to change', async () => {
    await server.client.query('begin; lock table app.app_logs in access exclusive mode')
    const reply = await server.call(url({ search: 'held up' }), { token: superadmin })
    await server.client.query('rollback')
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringContaining('took too long. Add a time range'),
    ])
  })

  it('never stores secrets that were in a line', async () => {
    const secrets = [
      'hunter2hunter2',
      'planted.person@example.com',
      '4242 4242 4242 4242',
      'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    ]
    for (const secret of secrets) {
      server.log.error(
        { password: secret, deep: { apiKey: secret }, err: new Error(`token=${secret}`) },
        `bilby Bearer ${secret}`,
      )
    }
    await find({ search: 'bilby' }, secrets.length)
    const { rows } = await server.client.query<{ text: string }>(
      `select string_agg(l::text, '') || (select string_agg(word, ' ') from app.log_words) as text from app.app_logs l`,
    )
    for (const secret of secrets) expect(rows[0]?.text).not.toContain(secret)
  })

  it('refuses places and times that are none, and people who do not run the instance', async () => {
    for (const query of [
      { before: 'x' },
      { after: '2026113999-1' },
      { from: '2026-02-31T00:00:00Z' },
      { level: 'loud' },
    ]) {
      const reply = await server.call(url(query as Record<string, string>), { token: superadmin })
      const [name] = Object.keys(query)
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(`query.${name}`)])
    }
    expect((await server.call(path, { token: member })).status).toBe(403)
    expect((await server.call(path)).status).toBe(401)
  })
})

describe('a refused or failed request', () => {
  it('leaves one line, found by the request id that its answer names', async () => {
    const refused = await server.call(path, { token: member })
    const { requestId } = (await refused.json()) as { requestId: string }
    expect(await find({ requestId })).toEqual([
      expect.objectContaining({
        level: 'info',
        message: 'request refused: permission_denied',
        fields: { method: 'GET', route: path, status: 403, durationMs: expect.any(Number), userId: memberId },
      }),
    ])
    await server.client.query('alter table app.log_writers rename to gone')
    const failed = await server.call(`${path}/status`, { token: superadmin })
    await server.client.query('alter table app.gone rename to log_writers')
    const problem = (await failed.json()) as { requestId: string; status: number }
    expect(problem.status).toBe(500)
    expect(await find({ requestId: problem.requestId })).toEqual([
      expect.objectContaining({
        level: 'error',
        message: 'request failed: internal_error',
        fields: expect.objectContaining({
          route: `${path}/status`,
          status: 500,
          err: expect.objectContaining({ code: '42P01' }),
        }),
      }),
    ])
  })

  it('leaves no line for what is ordinary', async () => {
    const [unknown, expired] = await Promise.all([server.call('/api/v1/nowhere'), server.call(path, { token: 'none' })])
    const ids = await Promise.all(
      [unknown, expired].map(async (reply) => ((await reply.json()) as { requestId: string }).requestId),
    )
    server.log.info('a kakapo later')
    await find({ search: 'kakapo' })
    for (const requestId of ids) expect((await search({ requestId })).items).toEqual([])
  })
})

describe('POST /api/v1/superadmin/logs/exports', () => {
  it('gives JSON Lines and is recorded', async () => {
    for (let n = 0; n < 3; n++) server.log.info(`potoroo ${n}`)
    await find({ search: 'potoroo' }, 3)
    const reply = await server.call(`${path}/exports`, { token: superadmin, body: { search: 'potoroo' } })
    expect(reply.headers.get('content-type')).toContain('application/x-ndjson')
    const lines = (await reply.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine)
    expect(lines.map(({ message }) => message)).toEqual(['potoroo 2', 'potoroo 1', 'potoroo 0'])
    const { rows } = await server.client.query(`select after from audit_log where action = 'logs.exported'`)
    expect(rows).toEqual([{ after: { search: 'potoroo' } }])
  })
})

describe('GET /api/v1/superadmin/logs/status', () => {
  it('says what is stored and by whom', async () => {
    const status = (await (await server.call(`${path}/status`, { token: superadmin })).json()) as LogStatus
    expect(status).toMatchObject({ days: 14, maxBytes: 5_000_000_000, processes: [{ dropped: 0 }] })
    expect(status.bytes).toBeGreaterThan(10_000)
    expect(status.oldestAt).toMatch(/^\d{4}-\d\d-\d\dT(00|06|12|18):00:00/)
  })
})
