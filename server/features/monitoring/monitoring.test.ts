import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FailedJob, MonitoringHistory, MonitoringNow, Threshold } from '#contract/superadmin-monitoring.ts'
import { loadConfig } from '#server/config.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createUser } from '#server/testing/builders.ts'
import { readCsv } from '#server/testing/read-csv.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { type Collector, startCollector } from './collect.ts'

let server: TestServer
let database: Database
let token: string
let email: string
const collectors: Collector[] = []
beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
  const superadmin = await createUser(server.client, { fullName: 'Sam Super' })
  email = superadmin.email
  token = await server.signIn(superadmin)
  database = openDatabase({ url: server.databaseUrl, log: server.log, maxConnections: 2 })
})
beforeEach(async () => {
  // The server itself measures at the begin of each minute, which tests would count too.
  const intoMinuteMs = Date.now() % 60_000
  if (intoMinuteMs > 54_000) await pause(62_000 - intoMinuteMs)
  else if (intoMinuteMs < 2_000) await pause(2_000 - intoMinuteMs)
  await server.client.query(`delete from app.monitor_alerts; delete from app.monitor_thresholds;
    delete from app.monitored_processes; delete from app.instance_minutes; delete from app.emails;
    delete from graphile_worker._private_jobs`)
})
afterEach(async () => {
  for (const collector of collectors.splice(0)) await collector.stop()
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
})

const base = '/api/v1/superadmin/monitoring'
async function ask<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await server.call(base + path, { token, ...options })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}
const readNow = () => ask<MonitoringNow>('')
const findFigure = ({ figures }: MonitoringNow, name: string) => figures.find(({ figure }) => figure === name)

/** Another process of the instance. */
function startProcess(services = { web: false, worker: true }): Collector {
  const config = { ...loadConfig({ APP_URL: server.url, DATA_DIR: '.' }), databaseUrl: server.databaseUrl }
  const collector = startCollector({ config, database, log: server.log }, services)
  collectors.push(collector)
  return collector
}
/** Moves all measurements a minute back. */
const passMinute = () =>
  server.client.query(`
    update app.instance_minutes set minute = minute - interval '1 minute';
    update app.process_minutes set minute = minute - interval '1 minute';
    update app.monitor_alerts set crossed_at = crossed_at - interval '1 minute',
      alerted_at = alerted_at - interval '1 minute', recovering_since = recovering_since - interval '1 minute'`)
async function collectMinutes(collector: Collector, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await passMinute()
    await collector.collect()
  }
}
async function addFailedJob(name = 'send_email', error = 'it broke'): Promise<string> {
  const { rows } = await server.client.query<{ id: string }>(`select (graphile_worker.add_job($1)).id`, [name])
  const id = String(rows[0]?.id)
  await server.client.query(
    'update graphile_worker._private_jobs set attempts = max_attempts, last_error = $2 where id = $1',
    [id, error],
  )
  return id
}
const alertMails = async () => (await server.mails()).filter(({ kind }) => kind === 'monitoring_alert')

describe('a minute of monitoring', () => {
  it('stores what each process and the instance measured, the instance once', async () => {
    const [first, second] = [startProcess(), startProcess({ web: true, worker: false })]
    await server.client.query(`insert into app.job_workers (worker_id) values ('one')`)
    await addFailedJob()
    await Promise.all([first.collect(), second.collect()])
    await first.collect()
    const now = await readNow()
    expect(now.processes.map(({ services, isRunning }) => [services, isRunning]).sort()).toEqual([
      ['web', true],
      ['worker', true],
    ])
    const [measured] = now.processes
    expect(measured?.latest?.memoryBytes).toBeGreaterThan(10_000_000)
    expect(measured?.latest?.diskFreePercent).toBeGreaterThan(0)
    expect(measured?.nodeVersion).toBe(process.versions.node)
    expect(findFigure(now, 'jobs_failed')).toMatchObject({ value: 1, isBeyond: true })
    expect(findFigure(now, 'workers')).toMatchObject({ value: 1, isBeyond: false })
    expect(findFigure(now, 'database_bytes')?.value).toBeGreaterThan(1_000_000)
    expect(findFigure(now, 'connections_percent')?.value).toBeGreaterThan(0)
    const { rows } = await server.client.query('select from app.instance_minutes')
    expect(rows).toHaveLength(1)
  })

  it('lists a stopped process as ended', async () => {
    const collector = startProcess()
    await collector.collect()
    await collector.stop()
    expect((await readNow()).processes.map(({ isRunning }) => isRunning)).toEqual([false])
    expect(findFigure(await readNow(), 'memory_bytes')?.value).toBeNull()
  })

  it('deletes figures older than 14 days at the full hour', async () => {
    await server.client.query(`
      insert into app.monitored_processes values
        ('00000000-0000-7000-8000-000000000001', 'web', 'old', 1, '1', '24', now(), now() - interval '15 days'),
        ('00000000-0000-7000-8000-000000000002', 'web', 'new', 1, '1', '24', now(), now() - interval '13 days');
      insert into app.instance_minutes
      select now() - n * interval '1 day', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 from unnest(array[13, 15]) as n`)
    const { pruneFigures } = await import('./collect.queries.ts')
    await database.asSystem('test', pruneFigures)
    const { rows } = await server.client.query(
      `select (select string_agg(host, ',') from app.monitored_processes) as hosts, count(*)::int as n from app.instance_minutes`,
    )
    expect(rows).toEqual([{ hosts: 'new', n: 1 }])
  })
})

describe('GET /api/v1/superadmin/monitoring/history', () => {
  it('gives the worst value of each step and leaves gaps where nothing was measured', async () => {
    await server.client.query(`
      insert into app.instance_minutes
      select date_bin('1 hour', now(), 'epoch') - interval '2 hours' + n * interval '1 minute', 100 + n, 1, n, 1, 1, 1, 1, 1, 1, 5 - n
      from generate_series(0, 4) as n`)
    const history = await ask<MonitoringHistory>('/history')
    expect([history.stepMinutes, history.at.length]).toEqual([60, 336])
    const index = history.figures.database_bytes?.findIndex((value) => value !== null) ?? -1
    expect(index).toBe(333)
    expect(['database_bytes', 'slow_queries', 'workers'].map((name) => history.figures[name]?.[index])).toEqual([
      104, 4, 1,
    ])
    expect(history.figures.workers?.filter((value) => value !== null)).toHaveLength(1)
    expect((await ask<MonitoringHistory>('/history?hours=24')).stepMinutes).toBe(5)
    expect((await server.call(`${base}/history?hours=337`, { token })).status).toBe(400)
  })
})

describe('alerts', () => {
  it('are emailed once when a figure is beyond its threshold for long enough, and once when it has recovered', async () => {
    await server.client.query(`insert into app.job_workers (worker_id) values ('one') on conflict do nothing`)
    await ask('/thresholds/jobs_failed', { method: 'PUT', body: { limit: 0, minutes: 3, isEnabled: true } })
    const id = await addFailedJob()
    const collector = startProcess()
    await collectMinutes(collector, 2)
    expect(await alertMails()).toEqual([])
    await collectMinutes(collector, 1)
    expect(await alertMails()).toMatchObject([{ to: email, subject: expect.stringMatching(/^Alert: Failed jobs/) }])
    await collectMinutes(collector, 3)
    expect(await alertMails()).toHaveLength(1)
    expect((await readNow()).alerts).toMatchObject([{ figure: 'jobs_failed', endedAt: null, worstValue: 1 }])
    await ask(`/failed-jobs/${id}`, { method: 'DELETE' })
    await collectMinutes(collector, 2)
    expect(await alertMails()).toHaveLength(1)
    await collectMinutes(collector, 3)
    expect((await alertMails()).map(({ subject }) => subject.split(' (')[0])).toEqual([
      'Alert: Failed jobs',
      'Recovered: Failed jobs',
    ])
    expect((await readNow()).alerts).toMatchObject([{ figure: 'jobs_failed', endedAt: expect.any(String) }])
  })

  it('survive the restart of the process that raised them', async () => {
    await addFailedJob()
    const before = startProcess()
    await before.collect()
    expect(await alertMails()).toHaveLength(1)
    await before.stop()
    await collectMinutes(startProcess(), 3)
    expect(await alertMails()).toHaveLength(1)
  })

  it('are not sent for a figure that is beyond its threshold for too short a time', async () => {
    await ask('/thresholds/jobs_failed', { method: 'PUT', body: { limit: 0, minutes: 3, isEnabled: true } })
    const collector = startProcess()
    const id = await addFailedJob()
    await collectMinutes(collector, 2)
    await ask(`/failed-jobs/${id}/retry`, { method: 'POST' })
    await collectMinutes(collector, 1)
    await addFailedJob()
    await collectMinutes(collector, 2)
    expect(await alertMails()).toEqual([])
  })

  it('end silently when their threshold is disabled', async () => {
    await addFailedJob()
    const collector = startProcess()
    await collector.collect()
    await ask('/thresholds/jobs_failed', { method: 'PUT', body: { limit: 0, minutes: 1, isEnabled: false } })
    await collectMinutes(collector, 2)
    expect(await alertMails()).toHaveLength(1)
    expect((await readNow()).alerts).toMatchObject([{ endedAt: expect.any(String) }])
  })
})

describe('thresholds', () => {
  it('are changed and reset, which the audit log names', async () => {
    const find = async () =>
      (await ask<{ items: Threshold[] }>('/thresholds')).items.find(({ figure }) => figure === 'delay_ms')
    expect(await find()).toMatchObject({ limit: 500, minutes: 5, isEnabled: true, isDefault: true })
    const body = { limit: 250, minutes: 2, isEnabled: true }
    await ask('/thresholds/delay_ms', { method: 'PUT', body })
    expect(await find()).toMatchObject({ ...body, isDefault: false })
    await ask('/thresholds/delay_ms', { method: 'DELETE' })
    expect(await find()).toMatchObject({ limit: 500, isDefault: true })
    const { rows } = await server.client.query(
      `select action, target_name, actor_name from audit_log where target_type = 'threshold' and target_name = 'Event loop delay' order by id`,
    )
    expect(rows).toEqual([
      { action: 'threshold.changed', target_name: 'Event loop delay', actor_name: 'Sam Super' },
      { action: 'threshold.reset', target_name: 'Event loop delay', actor_name: 'Sam Super' },
    ])
  })

  it('refuse unknown figures and impossible values', async () => {
    const put = async (figure: string, body: unknown) =>
      (await server.call(`${base}/thresholds/${figure}`, { method: 'PUT', token, body })).status
    expect(await put('nothing', { limit: 1, minutes: 1, isEnabled: true })).toBe(404)
    expect(await put('delay_ms', { limit: -1, minutes: 1, isEnabled: true })).toBe(400)
    expect(await put('delay_ms', { limit: 1, minutes: 0, isEnabled: true })).toBe(400)
  })
})

describe('failed jobs', () => {
  const list = (query = '') =>
    ask<{ items: FailedJob[]; count: number; nextCursor: string | null }>(`/failed-jobs${query}`)

  it('are found by name and error, without personal data, and paged', async () => {
    const ids: string[] = []
    for (const name of ['send_email', 'process_upload', 'send_email']) {
      ids.unshift(await addFailedJob(name, `${name} to ada@example.com failed`))
    }
    await server.client.query(`select graphile_worker.add_job('waiting')`)
    const first = await list('?limit=2')
    expect([first.items.map(({ id }) => id), first.count]).toEqual([ids.slice(0, 2), 3])
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`)
    expect([rest.items.map(({ id }) => id), rest.nextCursor]).toEqual([ids.slice(2), null])
    expect((await list('?search=UPLOAD')).items.map(({ name }) => name)).toEqual(['process_upload'])
    expect((await list('?sort=oldest')).items.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(JSON.stringify(first)).not.toContain('ada@example.com')
    expect((await server.call(`${base}/failed-jobs?cursor=abc`, { token })).status).toBe(400)
    const csv = await (await server.call(`${base}/failed-jobs/exports`, { token, body: { search: 'upload' } })).text()
    expect(csv.trim().split('\r\n')).toHaveLength(2)
  })

  it('are retried and deleted one by one, and retried together, which the audit log names', async () => {
    const [retried, deleted] = [await addFailedJob('first_job'), await addFailedJob('second_job')]
    await ask(`/failed-jobs/${retried}/retry`, { method: 'POST' })
    await ask(`/failed-jobs/${deleted}`, { method: 'DELETE' })
    const { rows } = await server.client.query('select id::text, attempts from graphile_worker.jobs')
    expect(rows).toEqual([{ id: retried, attempts: 0 }])
    expect((await list()).items).toEqual([])
    const again = await server.call(`${base}/failed-jobs/${deleted}`, { method: 'DELETE', token })
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([404, 'job_not_found'])
    await addFailedJob()
    await addFailedJob()
    expect(await ask('/failed-jobs/retry', { body: {} })).toEqual({ count: 2 })
    const entries = await server.client.query(
      `select action, target_name from audit_log where target_type = 'job' order by id desc limit 3`,
    )
    expect(entries.rows).toEqual([
      { action: 'jobs.retried', target_name: 'Failed jobs' },
      { action: 'job.deleted', target_name: 'second_job' },
      { action: 'job.retried', target_name: 'first_job' },
    ])
  })
})

describe('slow queries', () => {
  it('are those that run now, where the server has no statistics of statements', async () => {
    const slow = server.client.query('select pg_sleep(3)')
    await expect
      .poll(async () => (await readNow()).slowQueries)
      .toMatchObject({ source: 'running', items: [{ query: 'select pg_sleep(3)', calls: null }] })
    const reply = await server.call(`${base}/slow-queries/exports`, { method: 'POST', token })
    expect(reply.headers.get('content-disposition')).toMatch(/filename="slow-queries-\d{4}-\d\d-\d\d\.csv"/)
    expect(await readCsv(reply)).toMatchObject([{ query: 'select pg_sleep(3)', calls: '', source: 'running' }])
    await slow
  })
})

it('is refused to everyone who is no superadmin', async () => {
  const member = await server.signIn(await createUser(server.client))
  for (const path of ['', '/history', '/thresholds', '/failed-jobs']) {
    expect((await server.call(base + path, { token: member })).status).toBe(403)
    expect((await server.call(base + path)).status).toBe(401)
  }
})
