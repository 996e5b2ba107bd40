import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '#server/platform/database/migrate.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import { createRandom, fillRandomly, hashFiles, hashRows } from '#server/testing/random-instance.ts'
import { type MadeBackup, makeBackup } from './make-backup.ts'
import { openDiskTarget } from './places/disk-target.ts'
import { restore } from './restore.ts'

const silent = { info: () => {}, warn: () => {} }
const passphrase = 'correct horse battery'
let folder: string
let drops: (() => Promise<void>)[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-backup-'))
  drops = []
})
afterAll(async () => {
  for (const drop of drops) await drop()
  await rm(folder, { recursive: true })
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  drops.unshift(() => client.end().catch(() => {}))
  return client
}

interface Instance {
  readonly url: string
  readonly client: pg.Client
  readonly storage: Storage
  readonly dataDir: string
}

async function openInstance(kind: 'blank' | 'migrated'): Promise<Instance> {
  const database = await (kind === 'blank' ? createBlankDatabase() : createTestDatabase())
  drops.unshift(database.drop)
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const client = await connect(database.url)
  return { url: database.url, client, storage: createDiskStorage(join(dataDir, 'files')), dataDir }
}

let archives = 0
async function backUp(
  { url, storage, dataDir }: Instance,
  given: { passphrase?: string; onSnapshot?: () => Promise<void> } = {},
): Promise<MadeBackup> {
  return makeBackup({
    url,
    storage,
    dataDir,
    appVersion: '1.0.0',
    passphrase: given.passphrase ?? null,
    openTarget: async (estimatedBytes) => {
      await given.onSnapshot?.()
      return openDiskTarget(join(folder, `${archives++}.tar`), { estimatedBytes, floorBytes: 0 })
    },
  })
}

function restoreInto(instance: Instance, path: string, given: { passphrase?: string } = {}) {
  const { url, storage, dataDir } = instance
  const source = createReadStream(path) as AsyncIterable<Buffer>
  return restore(source, { url, storage, dataDir, passphrase: given.passphrase ?? null, log: silent })
}

describe('a backup and its restore', () => {
  it.each([1, 2, 3])('gives the rows and files of the moment at which it began (instance %i)', async (seed) => {
    const source = await openInstance('migrated')
    await fillRandomly(source.client, source.storage, seed)
    const rows = await hashRows(source.client)
    const files = await hashFiles(source.client, source.storage)
    let isWriting = true
    let writing = Promise.resolve()
    const writer = await connect(source.url)
    const made = await backUp(source, {
      onSnapshot: async () => {
        await writer.query(`update public.feedback set status = 'resolved'`)
        await writer.query('delete from public.uploads')
        writing = (async () => {
          while (isWriting) await fillRandomly(writer, source.storage, seed + 100)
        })()
      },
    })
    isWriting = false
    await writing
    const target = await openInstance('blank')
    await restoreInto(target, made.location)
    expect(await hashRows(target.client)).toEqual(rows)
    expect(await hashFiles(target.client, target.storage)).toEqual(files)
  })

  it('gives a database that a start finds up to date, with the schema of a new one', async () => {
    const source = await openInstance('migrated')
    await fillRandomly(source.client, source.storage, 4)
    const { location } = await backUp(source)
    const target = await openInstance('blank')
    await restoreInto(target, location)
    expect(await migrate({ url: target.url, log: silent })).toEqual({ applied: [] })
    expect(await describeSchema(target.client)).toEqual(await describeSchema(source.client))
  })

  it('leaves the lines of the log and the switch for maintenance out, and stores new lines', async () => {
    const source = await openInstance('migrated')
    await fillRandomly(source.client, source.storage, 5)
    const { location } = await backUp(source)
    const target = await openInstance('blank')
    await restoreInto(target, location)
    for (const table of ['app_logs', 'log_parts', 'log_blocks', 'log_words', 'log_writers', 'read_only_periods']) {
      expect((await source.client.query(`select from app.${table}`)).rowCount, table).toBeGreaterThan(0)
      expect((await target.client.query(`select from app.${table}`)).rowCount, table).toBe(0)
    }
    await target.client.query(`select app.make_log_part(now())`)
    const { rowCount } = await target.client.query(
      `insert into app.app_logs (at, level, process, message, fields, tokens) values (now(), 30, 'new', '', '{}', '{}')`,
    )
    expect(rowCount).toBe(1)
  })

  it('restores the archive of an older version, and migrates it', async () => {
    const source = await openInstance('blank')
    await migrate({ url: source.url, log: silent, until: '0049_email_bounces.sql' })
    await source.client.query(`insert into app.emails (id, kind, to_address, subject, html, text)
      values (gen_random_uuid(), 'old', 'ada@example.com', 'Ünïcode 🏳️‍🌈', '', '')`)
    const { location } = await backUp(source)
    const target = await openInstance('blank')
    await restoreInto(target, location)
    expect(await migrate({ url: target.url, log: silent })).toEqual({ applied: [] })
    const { rows } = await target.client.query(`select subject from app.emails`)
    expect(rows).toEqual([{ subject: 'Ünïcode 🏳️‍🌈' }])
    expect((await target.client.query('select from app.backup_runs')).rowCount).toBe(0)
  })

  it('tells the jobs that remove files that it is running', async () => {
    const source = await openInstance('migrated')
    const isRunning = async () => (await source.client.query('select app.is_backup_running() as yes')).rows[0]
    let during: unknown
    await backUp(source, {
      onSnapshot: async () => {
        during = await isRunning()
      },
    })
    expect([during, await isRunning()]).toEqual([{ yes: true }, { yes: false }])
  })

  it('restores the secrets with the passphrase alone, and leaves them out without one', async () => {
    const source = await openInstance('migrated')
    const secret = `${'s'.repeat(43)}\n`
    await writeFile(join(source.dataDir, 'instance-secret'), secret)
    const without = await backUp(source)
    expect(without.hasSecrets).toBe(false)
    const { location, hasSecrets } = await backUp(source, { passphrase })
    expect(hasSecrets).toBe(true)
    expect((await readFile(location)).includes(secret.trim())).toBe(false)
    const target = await openInstance('blank')
    await expect(restoreInto(target, location)).rejects.toThrow(/give their passphrase/)
    await expect(restoreInto(target, location, { passphrase: 'wrong horse battery' })).rejects.toThrow(
      /does not open the secrets/,
    )
    expect((await target.client.query(`select to_regnamespace('app') as app`)).rows).toEqual([{ app: null }])
    await restoreInto(target, location, { passphrase })
    expect(await readFile(join(target.dataDir, 'instance-secret'), 'utf8')).toBe(secret)
  })
})

describe('a restore', () => {
  let source: Instance
  let archive: string
  beforeAll(async () => {
    source = await openInstance('migrated')
    await fillRandomly(source.client, source.storage, 6)
    archive = (await backUp(source)).location
  })

  it('refuses an instance that is not empty', async () => {
    await expect(restoreInto(source, archive)).rejects.toThrow(/There is an instance already/)
  })

  it('refuses the archive of a newer version', async () => {
    const newer = await openInstance('migrated')
    await newer.client.query(
      `insert into app.schema_migrations (name, checksum, finished_at) values ('9999_later.sql', '', now())`,
    )
    const { location } = await backUp(newer)
    await expect(restoreInto(await openInstance('blank'), location)).rejects.toThrow(
      /newer version of Earshot .*9999_later\.sql/,
    )
  })

  it('refuses a cut archive, wherever it ends, and can be made again with the whole one', async () => {
    const target = await openInstance('blank')
    const whole = await readFile(archive)
    const random = createRandom(7)
    for (const at of [0, 100, 512, whole.length - 1_537, random() * whole.length]) {
      const path = join(folder, 'cut.tar')
      await writeFile(path, whole.subarray(0, Math.floor(at)))
      await expect(restoreInto(target, path)).rejects.toThrow(/The archive is (cut|damaged)/)
    }
    await expect(migrate({ url: target.url, log: silent })).rejects.toThrow(/restore .* was not finished/)
    await restoreInto(target, archive)
    expect(await hashRows(target.client)).toEqual(await hashRows(source.client))
  })

  it('refuses an archive in which any byte was changed', async () => {
    const target = await openInstance('blank')
    const whole = await readFile(archive)
    const random = createRandom(8)
    for (let i = 0; i < 5; i++) {
      const changed = Buffer.from(whole)
      // Not the two empty blocks at the end.
      const at = Math.floor(random() * (whole.length - 1_024))
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      const path = join(folder, 'changed.tar')
      await writeFile(path, changed)
      await expect(restoreInto(target, path), `byte ${at}`).rejects.toThrow(
        /archive is (damaged|cut)|no backup of Earshot|can’t be restored/,
      )
    }
    await expect(migrate({ url: target.url, log: silent })).rejects.toThrow(/restore .* was not finished/)
  })

  it('refuses what is no archive', async () => {
    const path = join(folder, 'none.tar')
    await writeFile(path, Buffer.alloc(2_000, 'x'))
    await expect(restoreInto(await openInstance('blank'), path)).rejects.toThrow(/no backup of Earshot/)
  })
})

describe('a backup', () => {
  it('refuses a login that row-level security would hide rows from', async () => {
    const source = await openInstance('migrated')
    const login = `backup_${process.pid}`
    await source.client.query(`create role ${login} login password 'x'`)
    drops.push(async () => {})
    const url = new URL(source.url)
    url.username = login
    url.password = 'x'
    await expect(backUp({ ...source, url: url.href })).rejects.toThrow(/alter role .* bypassrls/)
    await source.client.query(`drop role ${login}`)
  })

  it('refuses a disk with too little room, and an existing file, before it writes', async () => {
    const path = join(folder, 'large.tar')
    await expect(openDiskTarget(path, { estimatedBytes: 2 ** 60, floorBytes: 0 })).rejects.toThrow(/too little room/)
    await writeFile(path, '')
    await expect(openDiskTarget(path, { estimatedBytes: 0, floorBytes: 0 })).rejects.toThrow(/exists already/)
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  it('refuses to run beside another one', async () => {
    const source = await openInstance('migrated')
    await backUp(source, {
      onSnapshot: async () => {
        await expect(backUp(source)).rejects.toThrow(/Another backup is running/)
      },
    })
  })

  it('leaves no file when a file of the storage fails half-way', async () => {
    const source = await openInstance('migrated')
    await fillRandomly(source.client, source.storage, 9)
    const before = await readdir(folder)
    const storage: Storage = {
      ...source.storage,
      read: () => Promise.reject(new Error('the disk is broken')),
    }
    await expect(backUp({ ...source, storage })).rejects.toThrow(/the disk is broken/)
    expect(await readdir(folder)).toEqual(before)
  })
})

/** Tables, columns, indexes, constraints, triggers and policies in words. */
async function describeSchema(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    with s as (select oid, nspname from pg_namespace where nspname in ('auth', 'app', 'public', 'graphile_worker'))
    select 'column' as kind, format('%s.%s.%s %s', s.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as text
      from pg_attribute a join pg_class c on c.oid = a.attrelid join s on s.oid = c.relnamespace where a.attnum > 0
    union all select 'index', pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid join s on s.oid = c.relnamespace
    union all select 'constraint', format('%s %s %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = k.conrelid join s on s.oid = c.relnamespace
    union all select 'trigger', pg_get_triggerdef(t.oid) || t.tgenabled::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join s on s.oid = c.relnamespace where not t.tgisinternal
    union all select 'policy', p.polname || pg_get_expr(p.polqual, p.polrelid) from pg_policy p
    union all select 'function', p.oid::regprocedure::text from pg_proc p join s on s.oid = p.pronamespace
    order by 1, 2`)
  return rows
}
