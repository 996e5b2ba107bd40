import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#server/platform/log/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { actFor } from './actor.ts'
import { openDatabase, type TenantTx } from './database.ts'
import { withOrigin } from './request-origin.ts'

let test: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  test = await createTestDatabase()
})

afterAll(() => test.drop())

describe('asSystem and asAuthAdmin', () => {
  it.each(['debug', 'info'] as const)('log their reason at debug level only: %s', async (level) => {
    const lines: string[] = []
    const log = createLog({ level, destination: { write: (line) => lines.push(line) } })
    const database = openDatabase({ url: test.appUrl, log, maxConnections: 1 })
    await database.asSystem('the outbox spans organisations', async () => {})
    await database.asAuthAdmin('pruning', async () => {})
    await database.close()
    const logged = lines.map((line) => JSON.parse(line) as { role: string; reason: string })
    expect(logged.map(({ role, reason }) => `${role}: ${reason}`)).toEqual(
      level === 'debug' ? ['service_role: the outbox spans organisations', 'supabase_auth_admin: pruning'] : [],
    )
  })
})

describe('a request that only reads', () => {
  it('writes nothing, whatever role it takes on', async () => {
    const database = openDatabase({ url: test.appUrl, log: createLog({ level: 'silent' }), maxConnections: 1 })
    const actor = actFor(crypto.randomUUID(), crypto.randomUUID())
    const origin = { kind: 'user', isReadOnly: true } as const
    for (const run of [
      () => database.withTenant(actor, (tx) => sql`update feedback set status = 'closed'`.execute(tx)),
      () => database.asSystem('test', (tx) => sql`update projects set name = name`.execute(tx)),
      () => database.asAuthAdmin('test', (tx) => sql`delete from auth.sessions`.execute(tx)),
    ]) {
      await expect(withOrigin(origin, run)).rejects.toMatchObject({ code: '25006' })
      await run()
    }
    await database.close()
  })
})

describe('withTenant', () => {
  it('refuses every write of an actor that only reads, whatever the role may do', async () => {
    const database = openDatabase({ url: test.appUrl, log: createLog({ level: 'silent' }), maxConnections: 1 })
    const actor = { ...actFor(crypto.randomUUID(), crypto.randomUUID()), isReadOnly: true }
    const write = (tx: TenantTx) => sql`update feedback set status = 'closed'`.execute(tx)
    await expect(database.withTenant(actor, write)).rejects.toMatchObject({ code: '25006' })
    // The next transaction of the same connection writes.
    await database.withTenant({ ...actor, isReadOnly: false }, write)
    await database.close()
  })
})
