import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogLine, LogPage, LogTailEvent } from '#contract/superadmin-logs.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createLogTail } from './follow-logs.ts'

const path = '/api/v1/superadmin/logs'
let server: TestServer
let superadmin: string

beforeAll(async () => {
  server = await startTestServer()
  superadmin = await server.signIn(await createUser(server.client))
})
afterAll(() => server?.stop())

interface Follower {
  /** The first so many lines that arrive. */
  lines(count: number): Promise<LogLine[]>
  /** `after` of the next connection: behind the last event that arrived. */
  tail(): string
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  stop(): void
}

/** Follows the log; resolves with the first event, from which on no line is left out. */
async function follow(query: Readonly<Record<string, string>>, token = superadmin): Promise<Follower> {
  const ending = new AbortController()
  const reply = await fetch(`${server.url}${path}/tail?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  const items: LogLine[] = []
  let tail = ''
  const first = Promise.withResolvers<void>()
  const read = async () => {
    let text = ''
    for await (const part of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data === undefined) continue
        // Our own server's event, by its contract.
        const event = JSON.parse(data) as LogTailEvent
        items.push(...event.items)
        tail = event.tail
        first.resolve()
      }
    }
  }
  const ended = read().catch(() => {})
  await first.promise
  return {
    lines: async (count) => {
      await expect.poll(() => items.length, { interval: 20, timeout: 10_000 }).toBeGreaterThanOrEqual(count)
      return items
    },
    tail: () => tail,
    ended,
    stop: () => ending.abort(),
  }
}

const messages = (lines: readonly LogLine[]) => lines.map(({ message }) => message)

describe('GET /api/v1/superadmin/logs/tail', () => {
  it('sends new lines once and in their order, by filters, and scrubbed', async () => {
    server.log.info('bandicoot before')
    await expect.poll(async () => (await search('bandicoot')).items.length, { interval: 50, timeout: 8_000 }).toBe(1)
    const [all, errors] = await Promise.all([
      follow({ search: 'bandicoot' }),
      follow({ search: 'bandicoot', level: 'error' }),
    ])
    for (let n = 0; n < 20; n++) server.log[n % 5 === 0 ? 'error' : 'info'](`bandicoot ${n}`)
    server.log.info({ password: 'hunter2hunter2' }, 'bandicoot of planted.person@example.com')
    server.log.error('bandicoot last')
    const lines = await all.lines(22)
    expect(messages(lines).slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => `bandicoot ${n}`))
    expect(lines).toHaveLength(22)
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|planted\.person/)
    expect(messages(await errors.lines(5))).toEqual([
      ...['bandicoot 0', 'bandicoot 5', 'bandicoot 10', 'bandicoot 15'],
      'bandicoot last',
    ])
    all.stop()
    errors.stop()
  })

  it('misses no line and repeats none across reconnections, while lines come', async () => {
    const ids: string[] = []
    let after = (await search('')).tail
    let written = 0
    const write = () => {
      for (let n = 0; n < 10; n++) server.log.info(`dunnart ${written++}`)
    }
    for (let connection = 1; connection <= 3; connection++) {
      write()
      const follower = await follow({ search: 'dunnart', after })
      write()
      const lines = await follower.lines(1)
      // Between two events, so that lines and place belong together.
      ids.push(...messages(lines))
      after = follower.tail()
      follower.stop()
    }
    const last = await follow({ search: 'dunnart', after })
    ids.push(...messages(await last.lines(written - ids.length)))
    expect(ids).toEqual(Array.from({ length: written }, (_, n) => `dunnart ${n}`))
    last.stop()
  })

  it('is refused to everyone who is no superadmin', async () => {
    const member = await server.signIn(await createUser(server.client))
    const [ofMember, ofStranger] = await Promise.all([
      server.call(`${path}/tail`, { token: member }),
      server.call(`${path}/tail`),
    ])
    expect([ofMember.status, ofStranger.status]).toEqual([403, 401])
    expect((await server.call(`${path}/tail?after=x`, { token: superadmin })).status).toBe(400)
  })

  it('ends when the session ends, and when the right of a superadmin is taken away', async () => {
    const [demoted, signedOut] = [await createUser(server.client), await createUser(server.client)]
    await server.client.query('insert into app.superadmins (user_id) select unnest($1::uuid[])', [
      [demoted.id, signedOut.id],
    ])
    const token = await server.signIn(signedOut)
    const followers = await Promise.all([follow({}, await server.signIn(demoted)), follow({}, token)])
    await server.client.query('delete from app.superadmins where user_id = $1', [demoted.id])
    expect((await server.call('/auth/v1/logout', { token, method: 'POST' })).status).toBe(204)
    await Promise.all(followers.map(({ ended }) => ended))
    expect((await server.call(`${path}/tail`, { token })).status).toBe(401)
  })

  it('looks once for all followers with the same filters', async () => {
    const database = openDatabase({ url: server.databaseUrl, log: createLog({ level: 'silent' }), maxConnections: 1 })
    let transactions = 0
    const asSystem: typeof database.asSystem = (reason, work) => {
      transactions += 1
      return database.asSystem(reason, work)
    }
    const tail = createLogTail({ ...database, asSystem })
    const received = Array.from({ length: 10 }, () => '')
    const endsAtMs = Date.now() + 60_000
    const streams = received.map((_, index) =>
      tail
        .follow({ filters: { search: 'kowari' }, endsAtMs, mayFollow: async () => true })
        .on('data', (part: Buffer) => {
          received[index] += part.toString()
        }),
    )
    await expect.poll(() => received.every((text) => text.includes('data: ')), { timeout: 8_000 }).toBe(true)
    // One look for ten followers.
    expect(transactions).toBe(1)
    server.log.info('kowari')
    await expect
      .poll(() => received.every((text) => text.includes('"message":"kowari"')), { timeout: 8_000 })
      .toBe(true)
    for (const stream of streams) stream.destroy()
    await database.close()
  })
})

async function search(words: string): Promise<LogPage> {
  const query = words === '' ? '' : `?search=${words}`
  // Our own server's answer, by its contract.
  return (await (await server.call(`${path}${query}`, { token: superadmin })).json()) as LogPage
}
