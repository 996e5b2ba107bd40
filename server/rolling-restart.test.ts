import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { loadConfig } from './config.ts'
import { createLog } from './platform/log/log.ts'
import { type RunningServer, startServer } from './start.ts'
import { type Balancer, startBalancer } from './testing/balancer.ts'
import { createTestDatabase } from './testing/database.ts'
import { createTraffic, startSteadyRequests } from './testing/steady-requests.ts'
import type { TestDatabase } from './testing/template-database.ts'

/*
 * Two servers on one database behind a balancer that asks /ready, stopped and started in turn while requests keep
 * coming: an update of an installation must not lose one.
 */
const restarts = 8
// Some rounds of the balancer's checks.
const stopGraceMs = 800
let database: TestDatabase
let client: pg.Client
let balancer: Balancer
let dataDir: string
const servers: { server: RunningServer; port: number }[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-data-'))
  balancer = await startBalancer()
  for (let index = 0; index < 2; index += 1) servers.push(await start())
})
afterAll(async () => {
  await Promise.all(servers.map(({ server }) => server.stop({ immediately: true })))
  await balancer?.close()
  await client?.end()
  await rm(dataDir, { recursive: true, force: true })
  await database?.drop()
})

async function start() {
  const port = await findFreePort()
  const config = loadConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: 'http://earshot.example',
    DATA_DIR: dataDir,
    SERVICES: 'web',
    SMTP_URL: 'smtp://127.0.0.1:1',
    INGEST_RATE_PER_MINUTE: '1000000',
    API_RATE_PER_MINUTE: '1000000',
  })
  const log = createLog({ level: 'silent' })
  const server = await startServer({ ...config, stopGraceMs, databaseUrl: database.url }, log, { withPages: false })
  balancer.add(port)
  await balancer.untilReady(Math.min(2, servers.length + 1))
  return { server, port }
}

async function restart(): Promise<void> {
  const oldest = servers.shift()
  await oldest?.server.stop()
  balancer.remove(oldest?.port ?? 0)
  servers.push(await start())
}

describe('a rolling restart', () => {
  it(`of two servers fails no request in ${restarts} restarts, and keeps every submission`, async () => {
    const { submissionIds, makeRequest } = await createTraffic(client, `http://127.0.0.1:${balancer.port}`)
    const load = startSteadyRequests(balancer.port, 4, makeRequest)
    for (let round = 0; round < restarts; round += 1) await restart()
    const { answered, failed } = await load.stop()
    expect(failed).toEqual({})
    expect(answered).toBeGreaterThan(restarts * 10)
    const { rows } = await client.query<{ stored: number }>(
      'select count(*)::int as stored from feedback where id = any ($1)',
      [submissionIds],
    )
    expect(rows[0]?.stored).toBe(submissionIds.length)
  })
})

describe('a server that was told to stop', () => {
  it('says so at /ready and still answers, ending each connection', async () => {
    const { server, port } = await start()
    const stopped = server.stop()
    const url = `http://127.0.0.1:${port}`
    const ready = await fetch(`${url}/ready`)
    expect([ready.status, ((await ready.json()) as { status: string }).status]).toEqual([503, 'stopping'])
    expect(ready.headers.get('retry-after')).toMatch(/^\d+$/)
    const other = await fetch(`${url}/api/v1/config`)
    expect([other.status, other.headers.get('connection')]).toEqual([200, 'close'])
    await stopped
    balancer.remove(port)
    await expect(fetch(`${url}/ready`)).rejects.toThrow()
  })

  it('stops without the grace period when someone waits for it', async () => {
    const { server, port } = await start()
    const startedAt = performance.now()
    await server.stop({ immediately: true })
    balancer.remove(port)
    expect(performance.now() - startedAt).toBeLessThan(stopGraceMs)
  })
})
