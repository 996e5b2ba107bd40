import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnyEvent } from '#contract/events.ts'
import { createMember, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { actFor } from '../database/actor.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { withOrigin } from '../database/request-origin.ts'
import type { Job } from '../jobs/job.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { createLog } from '../log/log.ts'
import { createDispatchRequests } from './dispatch-requests.ts'
import { createEventJobs } from './events.jobs.ts'
import { openLiveChannel, sendLiveMessage } from './live-channel.ts'
import { recordEvent } from './record-event.ts'
import {
  type Announcement,
  defineImmediateSubscriber,
  defineSubscriber,
  type LiveMessage,
  type Subscriber,
} from './subscriber.ts'

const log = createLog({ level: 'silent' })
const organizationId = '00000000-0000-7000-8000-00000000e001'

let testDatabase: Required<TestDatabase>
let client: pg.Client
let database: Database
let closing: (() => Promise<void>)[]

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  client = new pg.Client({ connectionString: testDatabase.url })
  await client.connect()
  database = openDatabase({ url: testDatabase.appUrl, log, maxConnections: 4 })
  closing = []
})

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  await database.close()
  await client.end()
  await testDatabase.drop()
})

const makeIds = (count: number) => Array.from({ length: count }, () => randomUUID())

/** An event as any feature might record it. */
const toDeletion = (ids: readonly string[]) => ({ organizationId, name: 'feedback.deleted', ids, payload: {} }) as const

async function listRows() {
  const { rows } = await client.query<{
    id: string
    name: string
    ids: string[]
    payload: Record<string, unknown>
    actor_user_id: string | null
    request_id: string | null
    dispatched_at: Date | null
  }>('select * from app.events order by name, id')
  return rows
}

async function work(subscribers: readonly Subscriber[], jobs?: readonly Job[]): Promise<Worker> {
  const own = jobs ?? createEventJobs({ database, log, subscribers })
  const worker = await startWorker({ url: testDatabase.appUrl, log, jobs: own })
  closing.push(() => worker.stop())
  return worker
}

describe('an event', () => {
  it('is one row for each transaction, organisation and name, whatever is added to it', async () => {
    const [first, second, third] = makeIds(3) as [string, string, string]
    const other = '00000000-0000-7000-8000-00000000e002'
    const update = { organizationId, name: 'feedback.updated' } as const
    await database.asSystem('test', async (tx) => {
      await recordEvent(tx, { ...update, ids: [first], payload: { fields: ['tags', 'priority'] } })
      await recordEvent(tx, { ...update, ids: [second, first], payload: { fields: ['tags', 'viewed'] } })
      await recordEvent(tx, { ...update, organizationId: other, ids: [third], payload: { fields: ['spam'] } })
      await recordEvent(tx, toDeletion([third]))
    })
    await database.asSystem('test', (tx) => recordEvent(tx, toDeletion([first])))
    const rows = await listRows()
    expect(rows.map(({ name, ids }) => [name, ids])).toEqual([
      ['feedback.deleted', [third]],
      ['feedback.deleted', [first]],
      ['feedback.updated', [first, second]],
      ['feedback.updated', [third]],
    ])
    expect(rows[2]?.payload).toEqual({ fields: ['priority', 'tags', 'viewed'] })
    const { rows: jobs } = await client.query(
      "select from graphile_worker.jobs where task_identifier = 'dispatch_events'",
    )
    expect(jobs).toHaveLength(2)
  })

  it('leaves nothing when its transaction or savepoint is rolled back', async () => {
    const failed = database.asSystem('test', async (tx) => {
      await recordEvent(tx, toDeletion(makeIds(2)))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await client.query('begin')
    await client.query('savepoint part')
    await client.query("select app.record_event($1, 'feedback.deleted', $2)", [organizationId, makeIds(1)])
    await client.query('rollback to savepoint part')
    await client.query("select app.record_event($1, 'project.deleted', $2)", [organizationId, makeIds(1)])
    await client.query('commit')
    expect((await listRows()).map(({ name }) => name)).toEqual(['project.deleted'])
    const { rows: jobs } = await client.query('select from graphile_worker.jobs')
    expect(jobs).toHaveLength(1)
  })

  it('holds actor and request; a job may name the actor it works for', async () => {
    const user = await createUser(client)
    const own = user.organizationId ?? ''
    const deletion = { ...toDeletion(makeIds(1)), organizationId: own }
    await client.query('delete from app.events')
    await withOrigin({ kind: 'user', requestId: 'request-1' }, () =>
      database.withTenant(actFor(user.id, own), (tx) => recordEvent(tx, { ...deletion, actorUserId: randomUUID() })),
    )
    expect(await listRows()).toMatchObject([{ actor_user_id: user.id, request_id: 'request-1' }])
    await client.query('delete from app.events')
    await database.asSystem('test', (tx) => recordEvent(tx, { ...deletion, actorUserId: user.id }))
    expect(await listRows()).toMatchObject([{ actor_user_id: user.id, request_id: null }])
  })

  it('is recorded by members only, and can be read or written directly by no signed-in user', async () => {
    const user = await createUser(client)
    const own = user.organizationId ?? ''
    const stranger = await createUser(client)
    const viewer = await createMember(client, { organizationId: own, role: 'viewer' })
    await client.query('delete from app.events')
    const record = (userId: string) =>
      database.withTenant(actFor(userId, own), (tx) =>
        recordEvent(tx, { ...toDeletion(makeIds(1)), organizationId: own }),
      )
    await record(viewer.id)
    await expect(record(stranger.id)).rejects.toThrow('no such organisation')
    expect(await listRows()).toHaveLength(1)
    for (const statement of ['select from app.events', `select app.write_event('${own}', 'a.b', '{}')`]) {
      await client.query('begin')
      await client.query('set local role authenticated')
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
      await client.query('rollback')
    }
  })

  it('is refused with a payload that is not its own', async () => {
    const wrong = { ...toDeletion([]), name: 'feedback.replied', payload: { commentId: 'none' } } as const
    await expect(database.asSystem('test', (tx) => recordEvent(tx, wrong))).rejects.toThrow('does not fit')
  })
})

describe('a subscriber', () => {
  it('gets the events it names, with their ids', async () => {
    const given: AnyEvent[] = []
    await work([defineSubscriber('test', ['feedback.deleted'], async (events) => void given.push(...events))])
    const ids = makeIds(500)
    await database.asSystem('test', async (tx) => {
      await recordEvent(tx, toDeletion(ids))
      await recordEvent(tx, { ...toDeletion(ids), name: 'feedback.files_changed' })
    })
    await expect.poll(() => given).toHaveLength(1)
    const row = (await listRows()).find(({ name }) => name === 'feedback.deleted')
    expect(given[0]).toEqual({
      ...toDeletion(ids),
      id: row?.id,
      actorUserId: null,
      actorKind: 'system',
      actorName: null,
      impersonationId: null,
      ip: null,
      userAgent: null,
      cause: null,
      requestId: null,
      occurredAt: expect.any(Date),
    })
  })

  it('that fails delays no other, and is tried again by itself, with the same event id', async () => {
    const told: string[] = []
    const tried: (string | undefined)[] = []
    await work([
      defineSubscriber('fails once', ['feedback.deleted'], async ([event]) => {
        tried.push(event?.id)
        if (tried.length === 1) throw new Error('the other side is away')
      }),
      defineSubscriber('works', ['feedback.deleted'], async (events) => void told.push(...events.map(({ id }) => id))),
    ])
    await database.asSystem('test', (tx) => recordEvent(tx, toDeletion(makeIds(1))))
    await expect.poll(() => told).toHaveLength(1)
    await expect.poll(() => tried).toHaveLength(1)
    // Retries wait for seconds; here they need not.
    await expect
      .poll(
        async () => {
          await client.query(
            'select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs where attempts = 1 and locked_at is null',
          )
          return tried.length
        },
        { timeout: 10_000 },
      )
      .toBe(2)
    expect(tried).toEqual([told[0], told[0]])
    expect(told).toHaveLength(1)
  })

  it('is given an event that fails alone, apart from those that do not', async () => {
    const [bad, ...good] = makeIds(4)
    const told: string[] = []
    for (const id of [bad ?? '', ...good]) await database.asSystem('test', (tx) => recordEvent(tx, toDeletion([id])))
    await work([
      defineSubscriber('test', ['feedback.deleted'], async (events) => {
        const ids = events.flatMap((event) => [...event.ids])
        if (ids.includes(bad ?? '')) throw new Error('not that one')
        told.push(...ids)
      }),
    ])
    await expect.poll(() => told.toSorted()).toEqual(good.toSorted())
    const { rows } = await client.query(
      "select from graphile_worker.jobs where task_identifier = 'event:test' and attempts > 0",
    )
    expect(rows).toHaveLength(1)
  })

  it('gets events that were recorded while no worker ran', async () => {
    for (let count = 0; count < 20; count += 1) {
      await database.asSystem('test', (tx) => recordEvent(tx, toDeletion(makeIds(1))))
    }
    let told = 0
    await work([
      defineSubscriber('test', ['feedback.deleted'], async (events) => {
        told += events.length
      }),
    ])
    await expect.poll(() => told).toBe(20)
  })

  it('gets events whose dispatcher died before the subscriber ran', async () => {
    const told: string[] = []
    const subscriber = defineSubscriber('test', ['feedback.deleted'], async (events) => {
      told.push(...events.map(({ id }) => id))
    })
    await database.asSystem('test', (tx) => recordEvent(tx, toDeletion(makeIds(1))))
    // The dispatcher alone, as if its process had been killed right after.
    const [dispatch] = createEventJobs({ database, log, subscribers: [subscriber] })
    await dispatch?.run({})
    expect((await listRows())[0]?.dispatched_at).not.toBeNull()
    expect(told).toEqual([])
    await work([subscriber])
    await expect.poll(() => told).toEqual([(await listRows())[0]?.id])
  })

  it('loses nothing when a round is cut off in the middle', async () => {
    await database.asSystem('test', (tx) => recordEvent(tx, toDeletion(makeIds(1))))
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await client.query('begin')
    // The round waits here, having taken the event.
    await client.query('lock table graphile_worker._private_jobs in exclusive mode')
    const subscriber = defineSubscriber('test', ['feedback.deleted'], async () => {})
    const [dispatch] = createEventJobs({ database, log, subscribers: [subscriber] })
    const round = dispatch?.run({})
    const failed = expect(round).rejects.toThrow()
    await expect
      .poll(async () => {
        const { rows: waiting } = await client.query<{ pid: number }>(
          'select pid from pg_locks where not granted and pid <> $1',
          [rows[0]?.pid],
        )
        return waiting.length
      })
      .toBeGreaterThan(0)
    await client.query('select pg_cancel_backend(pid) from pg_locks where not granted and pid <> pg_backend_pid()')
    await failed
    await client.query('commit')
    expect((await listRows())[0]?.dispatched_at).toBeNull()
    await dispatch?.run({})
    expect((await listRows())[0]?.dispatched_at).not.toBeNull()
  })

  it('reads the events of its transaction alone, however many wait and were recorded before', async () => {
    // A plan that is kept from the time when the table was empty.
    await client.query('set plan_cache_mode = force_generic_plan')
    const record = () =>
      client.query("select app.write_event($1, 'feedback.deleted', $2)", [organizationId, makeIds(1)])
    await record()
    await client.query(
      `insert into app.events (organization_id, name, ids, announced) select $1, 'project.deleted', '{}', 'never'
       from generate_series(1, 3000)`,
      [organizationId],
    )
    const countRead = async () => {
      await client.query('select pg_stat_force_next_flush()')
      const { rows } = await client.query<{ n: number }>(
        "select sum(idx_tup_read)::int as n from pg_stat_user_indexes where relname = 'events'",
      )
      return rows[0]?.n ?? 0
    }
    const former = await countRead()
    for (let count = 0; count < 10; count += 1) await record()
    expect((await countRead()) - former).toBeLessThan(100)
  })

  it('costs a flood of transactions few rounds', async () => {
    let runs = 0
    let told = 0
    await work([
      defineSubscriber('test', ['feedback.deleted'], async (events) => {
        runs += 1
        told += events.length
      }),
    ])
    for (let count = 0; count < 200; count += 1) {
      await database.asSystem('test', (tx) => recordEvent(tx, toDeletion(makeIds(1))))
    }
    await expect.poll(() => told).toBe(200)
    expect(runs).toBeLessThan(100)
  })
})

describe('an immediate subscriber', () => {
  async function listen(concerns = (_: string) => true) {
    const heard: { organizationId: string; events: readonly Announcement[] }[] = []
    const messages: LiveMessage[] = []
    const subscriber = defineImmediateSubscriber(
      'test',
      ['feedback.deleted', 'feedback.updated', 'feedback.created'],
      (id, events) => void heard.push({ organizationId: id, events }),
      { concerns, onMessage: (_, message) => void messages.push(message) },
    )
    closing.push(await openLiveChannel(database, [subscriber]))
    return { heard, messages }
  }

  it('hears all events of a transaction together, at once and without a worker', async () => {
    const [here, there] = [await listen(), await listen()]
    const ids = makeIds(3)
    await database.asSystem('test', async (tx) => {
      await recordEvent(tx, toDeletion(ids.slice(0, 2)))
      await recordEvent(tx, toDeletion(ids.slice(2)))
      await recordEvent(tx, { ...toDeletion(ids), name: 'feedback.updated', payload: { fields: ['tags'] } })
      await recordEvent(tx, { ...toDeletion(ids), name: 'feedback.replied', payload: { commentId: randomUUID() } })
    })
    for (const { heard } of [here, there]) {
      await expect.poll(() => heard).toHaveLength(1)
      expect(heard[0]?.organizationId).toBe(organizationId)
      expect(heard[0]?.events.map((event) => [event.name, event.ids])).toEqual([
        ['feedback.deleted', ids],
        ['feedback.updated', ids],
      ])
    }
  })

  it('hears of any number of ids, however few bytes a NOTIFY holds', async () => {
    const { heard } = await listen()
    const ids = makeIds(2_000)
    await database.asSystem('test', (tx) => recordEvent(tx, toDeletion(ids)))
    await expect.poll(() => heard).toHaveLength(1)
    expect(heard[0]?.events[0]?.ids).toEqual(ids)
  })

  it('hears no event that was rolled back, concerns no one here, or is announced by a live message', async () => {
    const { heard, messages } = await listen((id) => id === organizationId)
    await database.asSystem('test', async (tx) => {
      await recordEvent(tx, { ...toDeletion(makeIds(1)), announced: 'never' })
      await recordEvent(tx, { ...toDeletion(makeIds(1)), organizationId: randomUUID() })
    })
    await sendLiveMessage(database, organizationId, { kind: 'end', ids: [] })
    const many = makeIds(151)
    await sendLiveMessage(database, organizationId, { kind: 'end', ids: many })
    await expect.poll(() => messages).toHaveLength(3)
    expect(messages).toContainEqual({ kind: 'end', ids: [] })
    expect(messages.flatMap(({ ids }) => [...ids]).toSorted()).toEqual(many.toSorted())
    expect(heard).toEqual([])
  })

  it('hears events through the dispatcher that their transaction did not announce', async () => {
    const { heard } = await listen()
    const ids = makeIds(160)
    await client.query("select app.write_event($1, 'feedback.created', $2, '{}', 'dispatch')", [organizationId, ids])
    await pause(100)
    expect(heard).toEqual([])
    await work([])
    createDispatchRequests(database, log).request()
    await expect.poll(() => heard).toHaveLength(2)
    expect(heard.flatMap(({ events }) => events.flatMap((event) => [...event.ids]))).toEqual(ids)
  })
})

describe('a request for a dispatch', () => {
  const recordUnannounced = (ids = makeIds(1)) =>
    client.query("select app.write_event($1, 'feedback.created', $2, '{}', 'dispatch')", [organizationId, ids])
  const countJobs = async () => (await client.query('select from graphile_worker.jobs')).rows.length

  it('queues one job for the transactions of 100 ms, and the last one when it is closed', async () => {
    const requests = createDispatchRequests(database, log)
    for (let count = 0; count < 20; count += 1) {
      await recordUnannounced()
      requests.request()
    }
    await expect.poll(countJobs).toBeGreaterThan(0)
    const former = await countJobs()
    expect(former).toBeLessThan(10)
    requests.request()
    requests.request()
    await requests.close()
    expect(await countJobs()).toBeGreaterThan(former)
    requests.request()
    const last = await countJobs()
    await pause(200)
    expect(await countJobs()).toBe(last)
  })

  it('is made again while the database refuses it', async () => {
    const requests = createDispatchRequests(database, log)
    await client.query('revoke execute on function app.enqueue_job(text, json, text, timestamptz) from service_role')
    requests.request()
    await pause(100)
    expect(await countJobs()).toBe(0)
    await client.query('grant execute on function app.enqueue_job(text, json, text, timestamptz) to service_role')
    await expect.poll(countJobs, { timeout: 5_000 }).toBe(1)
    await requests.close()
  })

  it('that its process took with it is made up for by a job of every minute', async () => {
    await recordUnannounced()
    const jobs = createEventJobs({ database, log, subscribers: [] })
    const left = jobs.find(({ name }) => name === 'dispatch_left_events')
    expect(left?.schedule?.at).toBe('* * * * *')
    await left?.run({})
    expect((await listRows())[0]?.dispatched_at).not.toBeNull()
  })
})

describe('prune_events', () => {
  it('deletes events older than 30 days, in batches, and none that still waits', async () => {
    await client.query(
      `insert into app.events (organization_id, name, ids, announced, occurred_at, dispatched_at)
       select $1, 'feedback.deleted', '{}', 'never', now() - make_interval(days => d), case when d <> 40 then now() end
       from unnest(array[1, 29, 31, 40]) as d`,
      [organizationId],
    )
    await client.query(
      `insert into app.events (organization_id, name, ids, announced, occurred_at, dispatched_at)
       select $1, 'project.deleted', '{}', 'never', now() - interval '50 days', now() from generate_series(1, 4500)`,
      [organizationId],
    )
    const jobs = createEventJobs({ database, log, subscribers: [] })
    await jobs.find(({ name }) => name === 'prune_events')?.run({})
    expect(await listRows()).toHaveLength(3)
  })
})
