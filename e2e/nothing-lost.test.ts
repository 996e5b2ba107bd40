import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { createRandom, type Sending, startSenders, submit } from './senders.ts'
import { findFreePorts, type Product, spawnProduct, startProduct } from './start-product.ts'

/** Repeat a run with NOTHING_LOST_SEED=<the number it printed>. The instants of the kills follow from it. */
const seed = Number(process.env.NOTHING_LOST_SEED ?? Date.now() % 2 ** 31)
const rounds = 8
/** In these rounds the machine dies: PostgreSQL with the server. In the others the server alone. */
const machineDies = new Set([2, 5])
const senderCount = 24

const settings = {
  // Emails aren't tested here; no server listens on that port.
  SMTP_URL: 'smtp://127.0.0.1:9',
  INGEST_RATE_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Address of the product's built-in PostgreSQL, which may have moved to another port with a restart. */
function readDatabaseUrl(dataDir: string): string {
  const access = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { password: string; port: number }
  return `postgres://postgres:${access.password}@127.0.0.1:${access.port}/earshot`
}

function readPostmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Widgets of three projects in two organisations. */
async function makeWidgets(client: pg.Client): Promise<string[]> {
  const keys: string[] = []
  for (const projectCount of [2, 1]) {
    const { organizationId = '' } = await createUser(client)
    for (let n = 0; n < projectCount; n += 1) keys.push((await createProject(client, { organizationId })).widgetKey)
  }
  return keys
}

describe('a server killed at random instants under load', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-nothing-lost-'))
  let product: Product

  beforeAll(async () => {
    const [port = 0] = await findFreePorts(1)
    product = await startProduct({ ...settings, PORT: String(port), DATA_DIR: dataDir })
  }, 240_000)

  afterAll(async () => {
    await product?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }, 30_000)

  it('has every acknowledged submission once, and what follows from it', async () => {
    process.stdout.write(`NOTHING_LOST_SEED=${seed}\n`)
    const random = createRandom(seed)
    let client = await connect(readDatabaseUrl(dataDir))
    const widgetKeys = await makeWidgets(client)
    await journalJobs(client)
    await client.end()

    const senders = startSenders({ url: product.url, widgetKeys, count: senderCount, random: createRandom(seed + 1) })
    for (let round = 0; round < rounds; round += 1) {
      await pause(200 + random() * 1_300)
      if (machineDies.has(round)) process.kill(readPostmaster(dataDir), 'SIGKILL')
      product.child.kill('SIGKILL')
      await product.ended
      product = await restart(product, dataDir)
    }
    await pause(500)
    await senders.finish()

    expect(senders.wrongAnswers).toEqual([])
    const acknowledged = senders.acknowledged()
    expect(acknowledged.length).toBe(senders.sendings.size)
    // Fewer would mean that nothing was under way when the server died.
    expect(acknowledged.length).toBeGreaterThan(rounds * senderCount)

    client = await connect(readDatabaseUrl(dataDir))
    try {
      await checkRows(client, senders.sendings, acknowledged)
      await checkCounters(client)
      await checkEvents(client, acknowledged)
      await checkReplays(client, product.url, acknowledged.slice(-50))
    } finally {
      await client.end()
    }
  }, 150_000)
})

async function restart(killed: Product, dataDir: string): Promise<Product> {
  return startProduct({ ...settings, PORT: new URL(killed.url).port, DATA_DIR: dataDir })
}

/** Keeps a copy of every job, made in the transaction that adds it: a job that ran is gone from the queue. */
async function journalJobs(client: pg.Client): Promise<void> {
  await client.query(`
    create schema test_journal;
    create table test_journal.jobs (task_id integer, payload json);
    create function test_journal.note() returns trigger language plpgsql security definer as $$
    begin
      insert into test_journal.jobs values (new.task_id, new.payload);
      return null;
    end $$;
    create trigger note after insert on graphile_worker._private_jobs for each row execute function test_journal.note();
  `)
}

async function checkRows(
  client: pg.Client,
  sendings: ReadonlyMap<string, Sending>,
  acknowledged: readonly Sending[],
): Promise<void> {
  const { rows } = await client.query<{ id: string; number: string; message: string; key: string }>(
    `select f.id, f.number, f.message, w.key from public.feedback f
     join public.widgets w on w.organization_id = f.organization_id and w.project_id = f.project_id`,
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const lost = acknowledged.filter(({ id }) => !stored.has(id))
  const unexpected = rows.filter(({ id }) => !sendings.has(id))
  const changed = acknowledged.filter((sending) => {
    const row = stored.get(sending.id)
    return row?.message !== sending.message || Number(row.number) !== sending.number || row.key !== sending.widgetKey
  })
  expect({ lost, duplicated: rows.length - stored.size, unexpected, changed }).toEqual({
    lost: [],
    duplicated: 0,
    unexpected: [],
    changed: [],
  })
}

async function checkCounters(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select c.project_id, c.feedback_count, c.last_number, count(f.id) as rows, count(distinct f.number) as numbers,
       coalesce(max(f.number), 0) as top
     from public.project_counters c
     left join public.feedback f on f.organization_id = c.organization_id and f.project_id = c.project_id
     group by c.project_id, c.feedback_count, c.last_number
     having c.feedback_count <> count(f.id) or c.last_number <> coalesce(max(f.number), 0)
       or count(distinct f.number) <> count(f.id)`,
  )
  expect(rows).toEqual([])
}

/** Every item is named by one event, and every event was given to each of its subscribers. */
async function checkEvents(client: pg.Client, acknowledged: readonly Sending[]): Promise<void> {
  const { rows } = await client.query<{ id: string; times: string }>(
    `select item.id, count(*) as times
     from app.events e, unnest(e.ids) as item (id) where e.name = 'feedback.created' group by 1`,
  )
  const events = new Map(rows.map((row) => [row.id, Number(row.times)]))
  expect(acknowledged.filter(({ id }) => events.get(id) !== 1)).toEqual([])
  // What a killed worker was about to dispatch, the next round takes.
  const waiting = async () => (await client.query('select from app.events where dispatched_at is null')).rows.length
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
  const { rows: missed } = await client.query(
    `with given as (
       select distinct j.task_id, given.event ->> 'id' as event_id
       from test_journal.jobs j, json_array_elements(j.payload -> 'events') as given (event)
     ),
     tasks as (
       select distinct g.task_id from given g join app.events e on e.id::text = g.event_id and e.name = 'feedback.created'
     )
     select e.id, t.task_id from app.events e cross join tasks t
     where e.name = 'feedback.created'
       and not exists (select from given g where g.task_id = t.task_id and g.event_id = e.id::text)`,
  )
  expect(missed).toEqual([])
  // None failed. Those that a killed worker held are still there, and are given to another after a minute.
  const { rows: failed } = await client.query(
    'select last_error from graphile_worker.jobs where last_error is not null',
  )
  expect(failed).toEqual([])
}

async function checkReplays(client: pg.Client, url: string, some: readonly Sending[]): Promise<void> {
  const count = async () => (await client.query('select count(*) from public.feedback')).rows[0]
  const before = await count()
  for (const sending of some) {
    const response = await submit(url, sending)
    expect([response.status, response.headers.get('idempotent-replayed'), await response.json()]).toEqual([
      200,
      'true',
      { id: sending.id, number: sending.number },
    ])
  }
  expect(await count()).toEqual(before)
}

describe('a server asked to stop under load', () => {
  it('has stored what it answered, and ends in order within 10 s', async () => {
    const database = await createTestDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-stop-'))
    const client = await connect(database.url)
    const [port = 0] = await findFreePorts(1)
    const product = spawnProduct({ ...settings, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: database.url })
    try {
      const widgetKeys = await makeWidgets(client)
      await product.ready
      const url = `http://localhost:${port}`
      const senders = startSenders({ url, widgetKeys, count: senderCount, random: createRandom(seed), retry: false })
      await pause(700)
      const askedAt = performance.now()
      product.child.kill('SIGTERM')
      const { code } = await product.ended
      const tookMs = performance.now() - askedAt
      await senders.finish()

      expect({ code, stderr: product.stderr() }).toEqual({ code: 0, stderr: '' })
      expect(tookMs).toBeLessThan(10_000)
      expect(senders.wrongAnswers).toEqual([])
      expect(senders.acknowledged().length).toBeGreaterThan(senderCount)
      await checkRows(client, senders.sendings, senders.acknowledged())
      await checkCounters(client)
    } finally {
      product.child.kill('SIGKILL')
      await client.end()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 60_000)
})
