import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { jobQueueRevision, migrate } from '#server/platform/database/migrate.ts'
import { migrationsFolder, readMigrationFiles } from '#server/platform/database/migration-files.ts'
import { markFinishedRestore, markUnfinishedRestore, readState } from '#server/platform/database/migration-state.ts'
import type { Log } from '#server/platform/log/log.ts'
import { replaceSecretFile } from '#server/platform/secret/secret-file.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import {
  type Header,
  type Manifest,
  readPartName,
  readSequences,
  secretsName,
  sequencesName,
} from './archive/format.ts'
import { readArchive } from './archive/read-archive.ts'
import { openSecrets, type Secrets } from './archive/seal-secrets.ts'
import { BackupError } from './backup-error.ts'
import { secretFiles } from './make-backup.ts'
import { beginLoading, type Loading } from './rows/load.ts'
import { connectAsOwner } from './rows/owner-connection.ts'

export interface RestoreOptions {
  /** Address of the empty database, as the login that will own it. */
  readonly url: string
  /** Null: files are read and compared, and not stored. */
  readonly storage: Storage | null
  /** Where secrets go; null: nowhere. */
  readonly dataDir: string | null
  /** Null: none was given. */
  readonly passphrase: string | null
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Noted with the migrations that this version adds. */
  readonly appVersion?: string
  /** Called before anything is changed. */
  onHeader?(header: Header): Promise<void>
  onProgress?(bytes: number): void
}

export interface Restored {
  readonly header: Header
  readonly manifest: Manifest
  /** Names of the secret files that were written. */
  readonly secrets: readonly string[]
}

/** Any number will do, as long as it stays the same. */
const restoreLock = 7_305_211_848

/**
 * Restores an archive into an empty database and storage: the schema as of the archive, its rows and files, then the
 * migrations that this version adds. Until all of it was read, compared and stored, the database is marked, and no start
 * uses it; the restore can be made again.
 *
 * @throws BackupError with a line for the operator.
 */
export async function restore(source: AsyncIterable<Buffer>, options: RestoreOptions): Promise<Restored> {
  const client = await connectAsOwner(options.url)
  let header: Header | undefined
  let loading: Loading | undefined
  let secrets: Secrets = {}
  try {
    await requireEmpty(client)
    // Waits for the secrets, which come second: a wrong passphrase changes nothing.
    const begin = async () => {
      if (loading || !header) return loading
      loading = await prepare(client, header, options)
      return loading
    }
    const manifest = await readArchive(source, {
      onHeader: async (found) => {
        header = found
        await requireKnownVersion(found)
        requirePassphrase(found, options)
        await options.onHeader?.(found)
      },
      onPart: async (name, content) => {
        if (name === secretsName) {
          if (options.passphrase !== null) secrets = await openSecrets(content, options.passphrase)
          if (options.dataDir !== null) await requireOwnSecrets(options.dataDir, secrets)
          return
        }
        const rows = await begin()
        const table = readPartName(name)
        if (table !== undefined) await rows?.add(table, name, content)
        if (name === sequencesName) await rows?.setSequences(readSequences(content))
      },
      onFile: async ({ key, isWhole, bytes }, body) => {
        const { storage } = options
        if (!storage) return
        if (isWhole) await storage.write(key, body, bytes)
        else {
          await storage.remove(key)
          await storage.append(key, body, 0)
        }
      },
      ...(options.onProgress && { onProgress: options.onProgress }),
    })
    const rows = await begin()
    if (!rows || !header) throw new Error('the archive was read without its header')
    await rows.finish(manifest)
    const written = options.dataDir === null ? [] : await writeSecrets(options.dataDir, secrets)
    await migrate({ url: options.url, log: options.log, isRestore: true, appVersion: options.appVersion })
    await client.query('analyze')
    await markFinishedRestore(client)
    return { header, manifest, secrets: written }
  } finally {
    await client.end().catch(() => {})
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [restoreLock])
  if (!rows[0]?.taken) throw new BackupError('Another restore into this database is running. Wait for its end.')
  const state = await readState(client)
  if (state?.isHalfRestored) return
  const { rows: found } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('auth', 'app', 'public', 'graphile_worker', 'logs')
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     limit 1`,
  )
  if (state || found.length > 0) {
    throw new BackupError(
      'There is an instance already: a backup can be restored into an empty one only. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
    )
  }
}

async function requireKnownVersion(header: Header): Promise<void> {
  const own = new Map((await readMigrationFiles(migrationsFolder)).map(({ name, checksum }) => [name, checksum]))
  const unknown = header.migrations.find(({ name }) => !own.has(name))
  if (unknown || header.jobQueueRevision > jobQueueRevision) {
    throw new BackupError(
      `The archive was made by a newer version of Earshot (${header.appVersion}): this one lacks its migration ${unknown?.name ?? 'of the job queue'}. Restore it with that version or a later one.`,
    )
  }
  const changed = header.migrations.find(({ name, checksum }) => own.get(name) !== checksum)
  if (changed) {
    throw new BackupError(
      `Migration ${changed.name} of this version differs from the archive’s. Restore it with the version that made it.`,
    )
  }
}

function requirePassphrase({ hasSecrets }: Header, { dataDir, passphrase }: RestoreOptions): void {
  if (!hasSecrets || dataDir === null || passphrase !== null) return
  throw new BackupError(
    'The archive has secrets: give their passphrase by --passphrase-file or BACKUP_PASSPHRASE, or leave them out with --without-secrets.',
  )
}

/** @throws BackupError when the data folder has other secrets. */
async function requireOwnSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  for (const [name, content] of Object.entries(secrets)) {
    const path = join(dataDir, name)
    if (existsSync(path) && (await readFile(path, 'utf8')) !== content) {
      throw new BackupError(
        `${path} is another secret than the archive’s. Move it away, or set DATA_DIR to a new folder.`,
      )
    }
  }
}

async function writeSecrets(dataDir: string, secrets: Secrets): Promise<string[]> {
  const written: string[] = []
  for (const name of secretFiles) {
    const content = secrets[name]
    if (content === undefined) continue
    await replaceSecretFile(join(dataDir, name), content)
    written.push(name)
  }
  return written
}

async function dropEverything(client: pg.Client): Promise<void> {
  await client.query(`
    drop schema if exists graphile_worker, app, auth, logs cascade;
    do $$
    declare
      statement text;
    begin
      for statement in
        select format('drop table if exists %s cascade', c.oid::regclass) from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        union all
        select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute statement;
      end loop;
    end $$`)
}

/** The schema as of the archive, without functions and triggers. */
async function prepare(client: pg.Client, header: Header, { url, log }: RestoreOptions): Promise<Loading> {
  // What an interrupted restore has left: the database was empty before it.
  if (await readState(client)) await dropEverything(client)
  await markUnfinishedRestore(client)
  const until = header.migrations.at(-1)?.name ?? ''
  await migrate({ url, log, isRestore: true, until, appVersion: header.appVersion })
  return beginLoading(client, header.tables)
}
