import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltUser, createMember, createUser } from '#server/testing/builders.ts'
import { type EventStream, followEvents } from '#server/testing/event-stream.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const maxPerUser = 30
let server: TestServer
let organizationId: string
let people: { user: BuiltUser; token: string }[]

beforeAll(async () => {
  server = await startTestServer({ MAX_LIVE_CONNECTIONS: String(maxPerUser + 1) })
  organizationId = (await createUser(server.client)).organizationId ?? ''
  people = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const user = await createMember(server.client, { organizationId, role: 'member' })
      return { user, token: await server.signIn(user) }
    }),
  )
})
afterAll(() => server.stop())

const tokenOf = (index: number) => people[index]?.token ?? ''
const ask = (token: string) => server.call(`/api/v1/organizations/${organizationId}/events`, { token })
const follow = (token: string) => followEvents(server, organizationId, token)

describe('event streams', () => {
  it('have a limit for each user and one for the process, and a closed one makes room', async () => {
    const streams: EventStream[] = []
    for (let index = 0; index < maxPerUser; index += 1) streams.push(await follow(tokenOf(0)))
    const tooMany = await ask(tokenOf(0))
    expect([tooMany.status, await tooMany.json()]).toEqual([429, expect.objectContaining({ code: 'too_many_streams' })])
    expect(tooMany.headers.get('retry-after')).toMatch(/^\d+$/)

    streams.push(await follow(tokenOf(1)))
    const full = await ask(tokenOf(2))
    expect([full.status, await full.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })])
    expect(full.headers.get('retry-after')).toMatch(/^\d+$/)

    streams.shift()?.stop()
    const askAgain = async () => {
      const reply = await ask(tokenOf(2))
      await reply.body?.cancel()
      return reply.status
    }
    await expect.poll(askAgain).toBe(200)
    for (const stream of streams) stream.stop()
  })
})
