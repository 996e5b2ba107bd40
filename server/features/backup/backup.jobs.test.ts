import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/** Two processes on one database; the second one only works. */
let folder: string
let server: TestServer
let other: TestServer
let drop: () => Promise<void>
const kept = 3
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-backups-'))
  const database = await createTestDatabase()
  drop = database.drop
  const env = {
    SERVICES: 'web,worker',
    DATABASE_MIGRATION_URL: database.url,
    BACKUP_EVERY_HOURS: '24',
    BACKUP_KEEP: String(kept),
    BACKUP_TO: join(folder, 'vault'),
    BACKUP_PASSPHRASE: 'correct horse battery',
  }
  server = await startTestServer(env, database)
  other = await startTestServer(env, database)
  await createUser(server.client, { email: 'super@example.com' })
})
afterAll(async () => {
  await other?.stop()
  await server?.stop()
  await drop?.()
  await rm(folder, { recursive: true })
})
beforeEach(() => server.client.query('delete from app.backup_runs'))

interface Run {
  readonly kind: string
  readonly problem: string | null
  readonly location: string | null
}
async function listRuns(): Promise<Run[]> {
  const { rows } = await server.client.query<Run>(
    'select kind, problem, location from app.backup_runs order by finished_at',
  )
  return rows
}
/** As the schedule does, whose moment is the next hour or week. */
async function begin(job: 'make_backup' | 'drill_restore'): Promise<void> {
  await server.client.query('select graphile_worker.add_job($1)', [job])
}
async function runJob(job: 'make_backup' | 'drill_restore'): Promise<Run | undefined> {
  const before = (await listRuns()).length
  await begin(job)
  await expect.poll(async () => (await listRuns()).length, { timeout: 30_000 }).toBe(before + 1)
  return (await listRuns()).at(-1)
}
const alerts = async () =>
  (await server.mails())
    .filter(({ kind }) => kind === 'backup_alert')
    .map(({ subject }) => subject.replace(/ \(.*/, ''))
const waitForIdle = () =>
  expect
    .poll(
      async () =>
        (
          await server.client.query(
            `select from graphile_worker.jobs where task_identifier in ('make_backup', 'drill_restore')`,
          )
        ).rowCount,
    )
    .toBe(0)
const archives = () => readdir(join(folder, 'vault'))

describe('scheduled backups', () => {
  it('makes one backup in both processes, and none while it is recent', async () => {
    await begin('make_backup')
    await begin('make_backup')
    await expect.poll(async () => (await listRuns()).length, { timeout: 30_000 }).toBe(1)
    await waitForIdle()
    await begin('make_backup')
    await waitForIdle()
    expect(await listRuns()).toEqual([{ kind: 'backup', problem: null, location: expect.stringContaining('vault') }])
    expect(await archives()).toEqual([expect.stringMatching(/^earshot-\d{8}T\d{6}Z\.tar$/)])
  })

  it('deletes the oldest archives once the new one is there, and leaves other files alone', async () => {
    for (const day of [1, 2, 3, 4]) await writeFile(join(folder, 'vault', `earshot-2020010${day}T000000Z.tar`), 'old')
    await writeFile(join(folder, 'vault', 'notes.txt'), '')
    await runJob('make_backup')
    const names = await archives()
    expect(names.filter((name) => name.endsWith('.tar'))).toHaveLength(kept)
    expect(names).toContain('notes.txt')
    expect(names).not.toContain('earshot-20200103T000000Z.tar')
  })

  it('keeps old archives when a backup fails, and tells superadmins once', async () => {
    await rm(join(folder, 'vault'), { recursive: true })
    await writeFile(join(folder, 'vault'), 'a file in the place of the folder')
    const before = await alerts()
    expect((await runJob('make_backup'))?.problem).toMatch(/^Cannot write|already exists/)
    await runJob('make_backup')
    expect(await alerts()).toEqual([...before, 'The scheduled backup failed'])
    await rm(join(folder, 'vault'))
    await mkdir(join(folder, 'vault'))
    expect((await runJob('make_backup'))?.problem).toBe(null)
    expect(await alerts()).toEqual([...before, 'The scheduled backup failed', 'Scheduled backups work again'])
  })
})

describe('the restore drill', () => {
  it('restores the newest archive into a scratch database, which it drops', async () => {
    const run = await runJob('drill_restore')
    expect(run).toMatchObject({ kind: 'drill', problem: null })
    const { rows } = await server.client.query(`select from pg_database where datname like 'earshot_drill_%'`)
    expect(rows).toEqual([])
  })

  it('finds a damaged archive, and tells superadmins', async () => {
    const [name = ''] = (await archives()).sort().reverse()
    const path = join(folder, 'vault', name)
    const content = await readFile(path)
    content[5_000] = (content[5_000] ?? 0) ^ 1
    await writeFile(path, content)
    expect((await runJob('drill_restore'))?.problem).toMatch(/archive/)
    expect((await alerts()).at(-1)).toBe('The restore drill failed')
  })
})
