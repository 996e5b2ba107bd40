import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3MultipartDouble, startS3MultipartDouble } from '#doubles/s3-multipart.ts'
import { readArchive } from '#server/features/backup/archive/read-archive.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import { fillRandomly, hashFiles, hashRows } from '#server/testing/random-instance.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

// Exact output is compared with --quiet: progress is printed every five seconds, which a busy machine reaches.
const program = join(import.meta.dirname, '../earshot.ts')
let folder: string
let source: TestDatabase
let client: pg.Client
let s3: S3MultipartDouble
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-backup-'))
  source = await createTestDatabase()
  client = new pg.Client({ connectionString: source.url })
  await client.connect()
  env = { DATABASE_URL: source.url, DATA_DIR: join(folder, 'data') }
  await fillRandomly(client, createDiskStorage(join(folder, 'data', 'files')), 11)
  s3 = await startS3MultipartDouble()
})
afterAll(async () => {
  await s3?.stop()
  await client?.end()
  await source?.drop()
  await rm(folder, { recursive: true })
})

interface Ended {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}
async function run(
  command: 'backup' | 'restore',
  args: readonly string[],
  given: Readonly<Record<string, string>>,
  stdin: Readable = Readable.from([]),
): Promise<Ended> {
  const child = spawnCommand(command, args, given, 'pipe')
  const code = new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1)))
  // A command that has ended reads no more.
  pipeline(stdin, child.stdin, () => {})
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  return { code: await code, stdout, stderr: stderr.toString('utf8') }
}

async function withEmpty(use: (given: Record<string, string>, url: string) => Promise<void>): Promise<void> {
  const target = await createBlankDatabase()
  const dataDir = await mkdtemp(join(folder, 'restored-'))
  await use({ DATABASE_URL: target.url, DATA_DIR: dataDir }, target.url)
  await target.drop()
}

async function expectEqual(url: string, dataDir: string): Promise<void> {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const { 'app.backup_runs': _, ...rows } = await hashRows(client)
  expect(await hashRows(other)).toMatchObject(rows)
  expect(await hashFiles(other, createDiskStorage(join(dataDir, 'files')))).toEqual(
    await hashFiles(client, createDiskStorage(join(folder, 'data', 'files'))),
  )
  await other.end()
}

describe('npm run backup, npm run restore', () => {
  it('writes into the folder of the settings, says what is not in it, and notes it for the doctor', async () => {
    const { code, stdout } = await run('backup', [], env)
    expect(code).toBe(0)
    const [name] = await readdir(join(folder, 'data', 'backups'))
    expect(name).toMatch(/^earshot-\d{8}T\d{6}Z\.tar$/)
    expect(stdout.toString()).toMatch(/^Backup made: .*All of it was read again.*\nThe secrets are NOT in it/)
    const { rows } = await client.query(
      'select kind, location, is_scheduled, problem from app.backup_runs where bytes > 0',
    )
    expect(rows).toEqual([
      { kind: 'backup', location: join(folder, 'data', 'backups', name ?? ''), is_scheduled: false, problem: null },
    ])
  })

  it('pipes through standard output and input, with the passphrase of a file', async () => {
    const file = join(folder, 'passphrase')
    await writeFile(file, 'correct horse battery\n')
    await writeFile(join(folder, 'data', 'instance-secret'), 's'.repeat(43))
    const made = await run('backup', ['--quiet', '--to', '-', '--passphrase-file', file], env)
    expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/^Backup made: standard output/)])
    await withEmpty(async (given, url) => {
      const restored = await run(
        'restore',
        ['--quiet', '--from', '-', '--passphrase-file', file],
        given,
        Readable.from([made.stdout]),
      )
      expect([restored.code, restored.stderr]).toEqual([0, ''])
      expect(restored.stdout.toString()).toMatch(/^Restored the backup of .*All of it is as in the archive/)
      expect(await readFile(join(given.DATA_DIR ?? '', 'instance-secret'), 'utf8')).toBe('s'.repeat(43))
      await expectEqual(url, given.DATA_DIR ?? '')
    })
  })

  it('writes to an object store in parts, and restores from it', async () => {
    // Parts have at least 8 MiB.
    await client.query(`insert into app.emails (id, kind, to_address, subject, html, text)
      select gen_random_uuid(), 'large', 'ada@example.com', 'x', string_agg(gen_random_uuid()::text, ''), ''
      from generate_series(1, 700000) i group by i % 700`)
    const made = await run('backup', ['--quiet', '--to', 's3://vault/nightly/'], { ...env, ...s3.settings })
    expect([made.code, made.stderr]).toEqual([0, ''])
    const [name] = [...s3.objects.keys()]
    expect(name).toMatch(/^vault\/nightly\/earshot-\d{8}T\d{6}Z\.tar$/)
    await withEmpty(async (given) => {
      const files = { S3_ENDPOINT: s3.settings.S3_ENDPOINT ?? '' }
      const restored = await run('restore', ['--quiet', '--from', `s3://${name}`], {
        ...s3.settings,
        ...given,
        ...files,
      })
      expect([restored.code, restored.stderr]).toEqual([0, ''])
    })
  })

  it('leaves no object when the object store fails half-way', async () => {
    const before = [...s3.objects.keys()]
    s3.refusesParts = true
    const { code, stderr } = await run('backup', ['--quiet', '--to', 's3://vault/failed.tar'], {
      ...env,
      ...s3.settings,
    })
    s3.refusesParts = false
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^earshot: .*object store.*\n$/)])
    expect([...s3.objects.keys()]).toEqual(before)
    await client.query(`delete from app.emails where kind = 'large'`)
  })

  it.each([
    [['--from'], 2, /--from/],
    [[], 2, /--from is missing/],
    [['--from', '/nowhere/x.tar'], 1, /There is no archive/],
    [['--from', 's3://bucket/x.tar'], 1, /needs the settings of the object store/],
    [['--from', 'x.tar', '--passphrase-file', '/nowhere/p'], 2, /passphrase can’t be read/],
  ])('restore %j ends with code %i and one line', async (args, wanted, line) => {
    const { code, stderr } = await run('restore', args, env)
    expect([code, stderr]).toEqual([wanted, expect.stringMatching(line)])
    expect(stderr).toMatch(/^earshot: [^\n]+\n$/)
  })

  it('says how it is used', async () => {
    for (const command of ['backup', 'restore'] as const) {
      const { code, stdout } = await run(command, ['--help'], {})
      expect([code, stdout.toString()]).toEqual([0, expect.stringMatching(/Exit codes:\n {2}0/)])
    }
  })

  it('has no archive under its name, or a whole one, wherever the backup was killed', async () => {
    const to = join(folder, 'killed')
    for (const ms of [150, 300, 450, 600, 900]) {
      await runAndKill('backup', ['--to', join(to, `${ms}.tar`)], env, ms)
    }
    for (const name of await readdir(to).catch(() => [])) {
      if (name.endsWith('.partial')) continue
      await readArchive(createReadStream(join(to, name)) as AsyncIterable<Buffer>, { onHeader: async () => {} })
    }
  })

  it('lets no start use what a killed restore has left, and restores it the next time', async () => {
    const archive = join(folder, 'whole.tar')
    expect((await run('backup', ['--to', archive], env)).code).toBe(0)
    for (const ms of [400, 700, 1_000, 1_400]) {
      await withEmpty(async (given, url) => {
        const ended = await runAndKill('restore', ['--from', archive, '--without-secrets'], given, ms)
        if (ended === 0) return
        const other = new pg.Client({ connectionString: url })
        await other.connect()
        const { rows } = await other.query<{ began: boolean }>(
          `select to_regclass('app.schema_migrations') is not null as began`,
        )
        // Its sessions end with the next message to the dead process.
        await expect
          .poll(async () => {
            const sessions = await other.query(
              'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
            )
            return sessions.rowCount
          })
          .toBe(0)
        await other.end()
        if (rows[0]?.began) {
          await expect(migrate({ url, log: { info: () => {}, warn: () => {} } })).rejects.toThrow(/was not finished/)
        }
        const again = await run('restore', ['--quiet', '--from', archive, '--without-secrets'], given)
        expect([again.code, again.stderr]).toEqual([0, ''])
        await expectEqual(url, given.DATA_DIR ?? '')
      })
    }
  })
})

/** @returns the exit code; null: it was killed. */
async function runAndKill(
  command: string,
  args: readonly string[],
  given: Readonly<Record<string, string>>,
  afterMs: number,
): Promise<number | null> {
  const child = spawnCommand(command, args, given, 'ignore')
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const timer = pause(afterMs).then(() => child.kill('SIGKILL'))
  const code = await ended
  await timer
  return code
}

function spawnCommand(
  command: string,
  args: readonly string[],
  given: Readonly<Record<string, string>>,
  stdio: 'pipe' | 'ignore',
): ChildProcessWithoutNullStreams {
  const ambient = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  // With 'ignore' no one reads its streams.
  return spawn(process.execPath, [program, command, ...args], {
    cwd: folder,
    env: { ...ambient, ...given },
    stdio,
  }) as ChildProcessWithoutNullStreams
}
