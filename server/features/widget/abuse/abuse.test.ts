import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

/* One server of a pair may ask for a calculation and the other get its result: they share a secret. */
const secret = { INSTANCE_SECRET: 'a secret of at least thirty-two characters' }
let server: TestServer
let second: TestServer
let organizationId: string

beforeAll(async () => {
  server = await startTestServer({ ...secret, INGEST_RATE_PER_MINUTE: '1000' })
  second = await startTestServer({ ...secret, INGEST_RATE_PER_MINUTE: '1000' }, { url: server.databaseUrl })
  organizationId = (await createUser(server.client)).organizationId ?? ''
})

afterAll(async () => {
  await second.stop()
  await server.stop()
})

async function makePlace() {
  const { widgetKey, domain, id } = await createProject(server.client, { organizationId })
  return { widgetKey, projectId: id, page: { origin: `https://${domain}`, 'user-agent': 'Mozilla/5.0' } }
}

async function readSpamReason(id: string) {
  const { rows } = await server.client.query('select spam_reason from feedback where id = $1', [id])
  return rows[0]?.spam_reason
}

/** As the widget does it. */
function solve({ challenge, difficulty }: { challenge: string; difficulty: number }): string {
  for (let nonce = 0; ; nonce++) {
    const proof = `${challenge}:${nonce}`
    const bits = createHash('sha256').update(proof).digest().readUInt32BE(0)
    if (Math.clz32(bits) >= difficulty) return proof
  }
}

/** More links than people write, and fewer than only machines do: with a name that is a link, odd but not certain. */
const odd = () => makeSubmission({ name: 'https://cheap.test', message: `Nice page ${randomUUID()}` })

describe('POST /e/{widgetKey}/submissions, from machines', () => {
  it.each([
    ['honeypot', { guard: { elapsedMs: 20_000, website: 'https://cheap.test' } }],
    ['links', { message: 'https://cheap.test/a '.repeat(12) }],
  ])('puts into quarantine and answers as always: %s', async (reason, part) => {
    const { widgetKey, page } = await makePlace()
    const body = makeSubmission(part)
    const reply = await submit(server, widgetKey, body, page)
    expect(reply.status).toBe(201)
    expect(await reply.json()).toEqual({ id: body.id, number: 1 })
    expect(await readSpamReason(body.id)).toBe(reason)
  })

  it('asks for a calculation from who is faster than people, and leaves people alone', async () => {
    const { widgetKey, page } = await makePlace()
    const fast = makeSubmission({ guard: { elapsedMs: 1_199 } })
    expect((await submit(server, widgetKey, fast, page)).status).toBe(428)
    const body = makeSubmission({ guard: { elapsedMs: 1_200, website: '' } })
    expect((await submit(server, widgetKey, body, page)).status).toBe(201)
    expect(await readSpamReason(body.id)).toBeNull()
  })

  it('asks for a proof of work on suspicious submissions, and stores those that bring one', async () => {
    const { widgetKey, page } = await makePlace()
    const body = odd()
    const asked = await submit(server, widgetKey, body, page)
    expect(asked.status).toBe(428)
    expect(asked.headers.get('access-control-allow-origin')).toBe('*')
    const problem = (await asked.json()) as { code: string; challenge: string; difficulty: number }
    expect(problem).toMatchObject({ code: 'proof_required', challenge: expect.any(String) })
    expect(problem.difficulty).toBeGreaterThanOrEqual(14)
    expect(problem.difficulty).toBeLessThanOrEqual(20)
    expect(await readSpamReason(body.id)).toBeUndefined()

    const proof = solve(problem)
    const wrong = await submit(server, widgetKey, body, { ...page, 'x-earshot-proof': `${problem.challenge}:x` })
    expect(wrong.status).toBe(428)
    // Another server takes it as well.
    const taken = await submit(second, widgetKey, body, { ...page, 'x-earshot-proof': proof })
    expect(taken.status).toBe(201)
    expect(await readSpamReason(body.id)).toBeNull()
    const other = await makePlace()
    expect((await submit(server, other.widgetKey, odd(), { ...other.page, 'x-earshot-proof': proof })).status).toBe(428)
  })

  it('takes a proof of work once, whichever server is asked, and still answers a retry', async () => {
    const { widgetKey, page } = await makePlace()
    const body = odd()
    const asked = await submit(server, widgetKey, body, page)
    const proof = solve((await asked.json()) as { challenge: string; difficulty: number })
    const headers = { ...page, 'x-earshot-proof': proof }
    expect((await submit(server, widgetKey, body, headers)).status).toBe(201)
    expect((await submit(second, widgetKey, body, headers)).status).toBe(200)
    for (const each of [server, second]) expect((await submit(each, widgetKey, odd(), headers)).status).toBe(428)
    expect((await submit(server, widgetKey, { ...body, message: 'Other words' }, headers)).status).toBe(422)
  })

  it('asks for a calculation from who leaves out the signs of a person', async () => {
    const { widgetKey, page } = await makePlace()
    const body = makeSubmission({ guard: undefined })
    expect((await submit(server, widgetKey, body, page)).status).toBe(428)
    expect((await submit(server, widgetKey, body)).status).toBe(428)
  })

  it.each(['', ':', 'x'.repeat(7_000), '0000000.0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA:0'])(
    'is not impressed by the proof %j',
    async (proof) => {
      const { widgetKey, page } = await makePlace()
      expect((await submit(server, widgetKey, odd(), { ...page, 'x-earshot-proof': proof })).status).toBe(428)
    },
  )

  it('notices the same words again and again, but not a retry', async () => {
    const { widgetKey, page } = await makePlace()
    const message = 'The very best watches in the world are here'
    const first = makeSubmission({ message })
    const send = (body: unknown) => submit(server, widgetKey, body, page)
    expect((await send(first)).status).toBe(201)
    for (let count = 0; count < 6; count += 1) expect((await send(first)).status).toBe(200)
    const statuses: number[] = []
    for (let count = 0; count < 7; count += 1) statuses.push((await send(makeSubmission({ message }))).status)
    expect(statuses[0]).toBe(201)
    expect(statuses.at(-1)).toBe(428)
    expect((await send(makeSubmission({ message: 'Something quite different from that' }))).status).toBe(201)
  })

  it('does not judge who only tries it out', async () => {
    const { widgetKey } = await makePlace()
    const body = makeSubmission({ guard: { elapsedMs: 5 } })
    expect((await submit(server, widgetKey, body, { origin: 'http://localhost:5173' })).status).toBe(201)
    expect(await readSpamReason(body.id)).toBeNull()
  })
})

describe('POST /e/{widgetKey}/submissions, too fast', () => {
  it('answers 429 with the time to wait, per visitor and project', async () => {
    const strict = await startTestServer({ INGEST_RATE_PER_MINUTE: '3' }, { url: server.databaseUrl })
    const places = [await makePlace(), await makePlace()] as const
    const send = ({ widgetKey, page }: (typeof places)[number]) => submit(strict, widgetKey, makeSubmission(), page)
    const statuses = []
    for (let index = 0; index < 4; index += 1) statuses.push((await send(places[0])).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    const refused = await send(places[0])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect((await send(places[1])).status).toBe(201)
    await strict.stop()
  })

  it('tells senders apart by a trusted proxy’s headers only', async () => {
    const behindProxy = await startTestServer(
      { INGEST_RATE_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1/32' },
      { url: server.databaseUrl },
    )
    const open = await startTestServer({ INGEST_RATE_PER_MINUTE: '1' }, { url: server.databaseUrl })
    const { widgetKey, page } = await makePlace()
    const send = (to: TestServer, ip: string) =>
      submit(to, widgetKey, makeSubmission(), { ...page, 'x-forwarded-for': ip }).then(({ status }) => status)
    expect([await send(behindProxy, '203.0.113.1'), await send(behindProxy, '203.0.113.2')]).toEqual([201, 201])
    expect(await send(behindProxy, '203.0.113.1')).toBe(429)
    expect([await send(open, '203.0.113.1'), await send(open, '203.0.113.2')]).toEqual([201, 429])
    await Promise.all([behindProxy.stop(), open.stop()])
  })
})
