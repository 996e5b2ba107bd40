import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { migrate } from '#server/platform/database/migrate.ts'
import { dumpSchema } from '#server/platform/database/schema-dump.ts'
import { hashItems } from '#server/testing/compare-items.ts'
import { createBlankDatabase } from '#server/testing/database.ts'
import { type FirstInstance, fillFirstSchema, makeFirstSchema } from '#server/testing/first-schema.ts'
import { startTestServer } from '#server/testing/server.ts'
import { cloneDatabase, type TestDatabase } from '#server/testing/template-database.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'
import { findFreePorts, spawnProduct } from '../../e2e/start-product.ts'
import { commands } from '../commands.ts'

const program = join(import.meta.dirname, '../earshot.ts')
const items = 200
let folder: string
let first: TestDatabase
let instance: FirstInstance
let before: Record<string, string>
let database: TestDatabase & { readonly appUrl: string }
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-upgrade-'))
  first = await createBlankDatabase()
  await makeFirstSchema(first.url)
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  instance = await fillFirstSchema(client, items)
  before = await hashItems(client)
  await client.end()
})
afterAll(async () => {
  await first?.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  const name = new URL(first.url).pathname.slice(1)
  database = await cloneDatabase(inject('databaseServerUrl'), name, inject('appServerUrl'))
  dataDir = await mkdtemp(join(folder, 'data-'))
  return () => database.drop()
})

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}
function run(args: readonly string[], given: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    UPGRADE_BACKUP: 'on',
    ...given,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
async function query<Row extends pg.QueryResultRow>(text: string, url = database.url): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return use(client).finally(() => client.end())
}
const countMigrations = async (url?: string) =>
  (await query(`select from app.schema_migrations where name not like 'functions/%'`, url)).length
const backups = () => readdir(join(dataDir, 'backups')).catch(() => [])

describe('npm run upgrade, from the first schema', () => {
  it('keeps every item as it was, makes the schema of a new instance, and the app works on it', async () => {
    const { code, stdout, stderr } = await run(['upgrade'])
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^From an earlier version \(0012_events\.sql\) to version /),
      expect.stringMatching(/^Backup made before the upgrade: .*-before-\d{4}\.tar \(/),
    ])
    await withClient(database.url, async (client) => {
      expect(await hashItems(client)).toEqual(before)
      expect(await dumpSchema(client)).toBe(await readFile(join(import.meta.dirname, '../../db/schema.sql'), 'utf8'))
    })
    const server = await startTestServer({}, database)
    try {
      const token = await server.signIn({ id: '', email: instance.ownerEmail, organizationId: instance.organizationId })
      const path = `/api/v1/organizations/${instance.organizationId}/feedback`
      const list = (await (await server.call(path, { token })).json()) as { items: unknown[] }
      expect(list.items.length).toBeGreaterThan(10)
      const found = (await (await server.call(`${path}?q=checkout%20number%20104`, { token })).json()) as typeof list
      expect(found.items).toHaveLength(1)
      const sent = await submit(server, instance.widgetKey, makeSubmission(), { origin: `https://${instance.domain}` })
      expect(sent.status).toBe(201)
    } finally {
      await server.stop()
    }
  })

  it('makes a backup that restores every item as it was before', async () => {
    // Not from the first schema: its next migrations call a function that a restore has not made yet.
    await migrate({ url: database.url, log: { info: () => {}, warn: () => {} }, until: '0050_monitoring.sql' })
    await run(['upgrade'])
    const [name = ''] = await backups()
    const target = await createBlankDatabase()
    const given = { DATABASE_URL: target.url, DATA_DIR: join(dataDir, 'restored') }
    const { code, stderr } = await run(['restore', '--quiet', '--from', join(dataDir, 'backups', name)], given)
    expect([code, stderr]).toEqual([0, ''])
    expect(await withClient(target.url, hashItems)).toEqual(before)
    await target.drop()
  })

  it('says what it would do, and changes nothing', async () => {
    const { code, stdout } = await run(['upgrade', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('! 0017_unanswered.sql: public.feedback (200 rows, ')
    expect(stdout).toContain('  0018_workers.sql: app.job_workers, lock access exclusive, brief\n')
    expect(stdout).toMatch(/A backup is written to .*backups\/ first\.\nNothing was changed\.\n$/)
    expect([await countMigrations(), await backups()]).toEqual([12, []])
  })

  it('does nothing the second time', async () => {
    await run(['upgrade'])
    const { code, stdout, stderr } = await run(['upgrade'])
    expect([code, stderr, (await backups()).length]).toEqual([0, '', 1])
    expect(stdout).toMatch(
      /^The database is up to date\.\nThe database is that of version \S+\. Start or restart Earshot/,
    )
  })

  it('refuses before it changes anything when there is no room for the backup', async () => {
    await writeFile(join(dataDir, 'backups'), 'a file in the place of the folder')
    const { code, stderr } = await run(['upgrade'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^earshot: The upgrade needs a backup first, and nothing was changed: .*set UPGRADE_BACKUP=off\.\n$/,
      ),
    ])
    expect(await countMigrations()).toBe(12)
  })

  it('makes no backup of a server of one’s own unless the settings say so', async () => {
    const { code, stdout } = await run(['upgrade'], { UPGRADE_BACKUP: '' })
    expect([code, await backups()]).toEqual([0, []])
    expect(stdout).toContain('No backup is made first (UPGRADE_BACKUP): make sure that your own is recent.')
  })

  it('continues an interrupted upgrade with the backup that was made before it', async () => {
    await query(`alter table public.feedback add column visitor_wrote_at text`)
    const failed = await run(['upgrade'])
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/earshot: Migration 0022_inbox_state\.sql failed: .*Nothing of it was kept/),
    ])
    expect(await countMigrations()).toBe(21)
    await query(`alter table public.feedback drop column visitor_wrote_at`)
    const { code, stderr } = await run(['upgrade'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^The upgrade was interrupted and continues\. Its backup is /),
    ])
    expect(await backups()).toHaveLength(1)
    expect(existsSync(join(dataDir, 'upgrade.json'))).toBe(false)
    expect(await withClient(database.url, hashItems)).toEqual(before)
  })

  it('replaces the backup of an attempt that changed nothing, so that failing starts do not fill the disk', async () => {
    await query(`alter table public.exports add column lists_subjects boolean`)
    for (let i = 0; i < 2; i += 1) expect((await run(['upgrade'])).code).toBe(1)
    expect(await backups()).toHaveLength(1)
  })

  it('refuses a database of a newer version with one line, as a start does', async () => {
    await query(`insert into app.schema_migrations (name, checksum, finished_at) values ('0999_later.sql', 'x', now())`)
    const line =
      /^earshot: The database was used by a newer version of Earshot: this one does not know its migration 0999_later\.sql\. [^\n]*\n$/
    expect(await run(['upgrade'])).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
    expect((await start()).stderr()).toMatch(line)
  })

  it('says how it is used, and refuses an unknown option', async () => {
    expect(await run(['upgrade', '--help'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/--dry-run/) })
    expect(await run(['upgrade', '--fast'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^earshot: [^\n]+\n$/),
    })
  })
})

it('the guide lists every option', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/upgrade.md'), 'utf8')
  const listed = [...guide.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(Object.keys(commands.upgrade.options).toSorted())
})

/** A start, as far as it gets. */
async function start() {
  const [port] = await findFreePorts(1)
  const product = spawnProduct({
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    UPGRADE_BACKUP: 'on',
    LOG_LEVEL: 'warn',
  })
  await product.ready.catch(() => {})
  product.child.kill('SIGINT')
  await product.ended
  return product
}

describe('npm start on data of an earlier version', () => {
  it('makes a backup, says so, and migrates', async () => {
    const product = await start()
    expect(product.stdout()).toMatch(
      /Backup made before the upgrade: [^\n]+\nMigrating the database: \d+ migrations …\n/,
    )
    expect(product.stdout()).toMatch(/The database is up to date\.\n(.*\n)*\s+Earshot is running\./)
    expect(await backups()).toHaveLength(1)
    expect(await withClient(database.url, hashItems)).toEqual(before)
  })
})
