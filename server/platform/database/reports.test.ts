import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#server/platform/log/log.ts'
import { type DatabaseLine, startDatabaseLine } from '#server/testing/database-line.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '#server/testing/streaming-replica.ts'
import { type Database, openDatabase } from './database.ts'
import { readLag, readPosition } from './replica.queries.ts'
import { createReports } from './reports.ts'

/* On a primary and its streaming replica, with the roles that transactions take on and no other object of the product. */
let servers: ReplicatedPostgres
let line: DatabaseLine
let primary: Database
let replica: Database
/** The replica, past the line. */
let replay: pg.Client
const lines: string[] = []
const log = createLog({ level: 'warn', destination: { write: (text) => lines.push(text) } })

beforeAll(async () => {
  servers = await startReplicatedPostgres()
  const owner = new pg.Client({ connectionString: servers.primaryUrl })
  await owner.connect()
  await owner.query(`create role authenticator; create role service_role;
    create table written (n int); grant all on written to service_role`)
  await owner.end()
  line = await startDatabaseLine(servers.replicaUrl)
  replay = new pg.Client({ connectionString: servers.replicaUrl })
  await replay.connect()
  primary = openDatabase({ url: servers.primaryUrl, log, maxConnections: 3 })
  replica = openDatabase({ url: line.url, isReplica: true, log, maxConnections: 3 })
  await replicaAnswers()
}, 60_000)
afterEach(async () => {
  await replay.query('select pg_wal_replay_resume()')
  await line.mend()
  // The pool pauses between attempts to connect: the next test begins past the pause.
  await replicaAnswers()
  lines.length = 0
})
afterAll(async () => {
  await primary?.close()
  await replica?.close()
  await replay?.end()
  await line?.stop()
  await servers?.stop()
})

const replicaAnswers = () =>
  vi.waitFor(async () => expect(await readLag(replica, '0/0')).toBeDefined(), { timeout: 20_000, interval: 20 })
const open = () => createReports(primary, replica, log)
const write = (n: number) => primary.asSystem('a test', (tx) => sql`insert into written values (${n})`.execute(tx))

/** What a report finds, and whether it was read from the replica. */
async function read(reports: ReturnType<typeof createReports>, n: number) {
  const { rows } = await reports.asSystem('a test', (tx) =>
    sql<{ from: string; found: number }>`
      select case when pg_is_in_recovery() then 'replica' else 'primary' end as "from",
        (select count(*)::int from written where written.n = ${n}) as found`.execute(tx),
  )
  return rows[0]
}

describe('a report', () => {
  it('finds every write that was acknowledged before it, at the replica', async () => {
    const reports = open()
    for (let n = 0; n < 50; n += 1) {
      await write(n)
      expect(await read(reports, n)).toEqual({ from: 'replica', found: 1 })
    }
  })

  it('finds them at the primary while the replica lags, which is not waited for again at once', async () => {
    await replay.query('select pg_wal_replay_pause()')
    await write(100)
    const reports = open()
    expect(await read(reports, 100)).toEqual({ from: 'primary', found: 1 })
    const startedAt = performance.now()
    expect(await read(reports, 100)).toEqual({ from: 'primary', found: 1 })
    expect(performance.now() - startedAt).toBeLessThan(200)
    expect(lines).toEqual([expect.stringContaining('the replica lags')])
  })

  it('is read from the primary while the replica is away', async () => {
    await write(101)
    await line.cut()
    expect(await read(open(), 101)).toEqual({ from: 'primary', found: 1 })
    expect(lines.join()).toContain('reports are read from the primary')
  })

  it('is read again at the primary when replay ends it at the replica', async () => {
    let asked = 0
    const answer = await open().asSystem('a test', async (tx) => {
      asked += 1
      if (asked === 1) await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
      return (await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(tx)).rows[0]?.is
    })
    expect([asked, answer]).toEqual([2, false])
  })

  it('fails for every other reason as it does at the primary', async () => {
    const broken = open().asSystem('a test', (tx) => sql`select 1/0`.execute(tx))
    await expect(broken).rejects.toMatchObject({ code: '22012' })
    expect(lines).toEqual([])
  })

  it('is read from the primary without a replica', async () => {
    await write(102)
    expect(await read(createReports(primary, null, log), 102)).toEqual({ from: 'primary', found: 1 })
  })
})

it('tells how far the replica is behind', async () => {
  await expect.poll(async () => readLag(replica, await readPosition(primary))).toEqual({ bytes: 0, seconds: 0 })
  await replay.query('select pg_wal_replay_pause()')
  await write(103)
  const lag = await readLag(replica, await readPosition(primary))
  expect(lag?.bytes).toBeGreaterThan(0)
  expect(lag?.seconds).toBeLessThan(60)
})

it('writes to no standby that a proxy takes for the primary', async () => {
  const mistaken = openDatabase({ url: servers.replicaUrl, log, maxConnections: 1 })
  await expect(mistaken.asSystem('a test', async () => {})).rejects.toMatchObject({ name: 'DatabaseAwayError' })
  await mistaken.close()
})
