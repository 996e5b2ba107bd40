import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import { BackupError } from '#server/features/backup/backup-error.ts'
import { floorBytes } from '#server/features/backup/floor-bytes.ts'
import { makeBackup } from '#server/features/backup/make-backup.ts'
import { openPlace } from '#server/features/backup/places/open-place.ts'
import { openSource } from '#server/features/backup/places/open-source.ts'
import { restore } from '#server/features/backup/restore.ts'
import { pruneUpgradeArchives, upgradeArchiveName } from '#server/features/backup/upgrade/upgrade-archives.ts'
import { type Binaries, findBinaries, readBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import { readClusterMajor } from '#server/platform/embedded-postgres/cluster.ts'
import {
  chooseOldName,
  declareReady,
  finishExchange,
  stagingFolder,
} from '#server/platform/embedded-postgres/exchange-cluster.ts'
import { stopLeftover } from '#server/platform/embedded-postgres/leftover.ts'
import { lockDataDir } from '#server/platform/embedded-postgres/lock-data-dir.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { showProgress } from '../backup/progress.ts'
import { fetchPostgres } from './fetch-postgres.ts'

/** The cluster of a data folder was written by an older PostgreSQL. */
export interface OldCluster {
  readonly from: number
  readonly to: number
}

/** Undefined: the built-in PostgreSQL reads the data folder, or there is none. */
export function findOldCluster({ databaseUrl, dataDir }: Config): OldCluster | undefined {
  if (databaseUrl !== null) return undefined
  const from = readClusterMajor(join(dataDir, 'postgres'))
  if (from === undefined) return undefined
  const { major: to } = findBinaries()
  return from < to ? { from, to } : undefined
}

/**
 * Moves the data of an older PostgreSQL into a cluster of this one: reads it with the older programs into an archive, restores
 * that into a new cluster, compares all rows, and exchanges the folders. The old folder is only read, and kept.
 *
 * @param programs folder of the older programs; undefined: npm fetches them.
 * @throws Error whose message is one line for the operator. Earshot is then as it was.
 */
export async function upgradePostgres(
  { from, to }: OldCluster,
  config: Config,
  { programs, tell }: { programs: string | undefined; tell: (line: string) => void },
): Promise<string> {
  const { dataDir } = config
  const lock = await lockDataDir(dataDir)
  try {
    finishExchange(dataDir)
    const staging = stagingFolder(dataDir)
    await stopLeftover(join(staging, 'postgres'))
    await rm(staging, { recursive: true, force: true })
    const fetched = join(dataDir, `postgres-${from}-programs`)
    if (programs === undefined) tell(`Fetching the programs of PostgreSQL ${from} …`)
    const binaries = programs === undefined ? await fetchPostgres(from, fetched) : readOlder(programs, from)
    const archive = await archiveOld({ from, to, config, binaries, tell })
    tell(`Backup made before the upgrade: ${archive}.`)
    await fillNew({ archive, config, staging, tell })
    const oldName = chooseOldName(dataDir, from)
    declareReady(dataDir, oldName)
    finishExchange(dataDir)
    await rm(fetched, { recursive: true, force: true })
    await pruneUpgradeArchives(config.backup.to, config.s3)
    return join(dataDir, oldName)
  } finally {
    lock.release()
  }
}

function readOlder(folder: string, major: number): Binaries {
  const binaries = readBinaries(folder)
  if (binaries.major === major) return binaries
  throw new BackupError(
    `${folder} has PostgreSQL ${binaries.major}, and the data were written by ${major}. Give the other.`,
  )
}

async function archiveOld(options: {
  from: number
  to: number
  config: Config
  binaries: Binaries
  tell: (line: string) => void
}): Promise<string> {
  const { from, to, config, binaries, tell } = options
  const old = await startEmbeddedPostgres(config.dataDir, { default_transaction_read_only: 'on' }, undefined, binaries)
  try {
    tell(`Reading the data with PostgreSQL ${from} …`)
    const bytes = await measureDatabase(old.url)
    const progress = showProgress({ write: (line) => tell(line.trimEnd()) })
    const made = await makeBackup({
      url: old.url,
      storage: openStorage(config),
      dataDir: config.dataDir,
      appVersion: config.appVersion,
      passphrase: config.backup.passphrase,
      openTarget: (estimatedBytes, createdAt) =>
        openPlace(config.backup.to + upgradeArchiveName(createdAt, `postgres-${to}`), {
          s3: config.s3,
          estimatedBytes,
          // The new cluster needs its room too.
          floorBytes: floorBytes(config) + bytes,
          createdAt,
          stdout: process.stdout,
        }),
      onProgress: ({ step, bytes: done, expectedBytes }) =>
        progress(step === 'write' ? 'Writing the backup' : 'Verifying the backup', done, expectedBytes),
    })
    return made.location
  } finally {
    await old.stop()
  }
}

async function measureDatabase(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database())::text as bytes')
    return Number(rows[0]?.bytes ?? 0)
  } finally {
    await client.end()
  }
}

async function fillNew(options: {
  archive: string
  config: Config
  staging: string
  tell: (line: string) => void
}): Promise<void> {
  const { archive, config, staging, tell } = options
  await mkdir(staging, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const fresh = await startEmbeddedPostgres(staging)
  try {
    tell('Filling the new database, and comparing every row …')
    const progress = showProgress({ write: (line) => tell(line.trimEnd()) })
    await restore(await openSource(archive, { s3: config.s3, stdin: process.stdin }), {
      url: fresh.url,
      // Files and secrets stay where they are.
      storage: null,
      dataDir: null,
      passphrase: config.backup.passphrase,
      log: { info: () => {}, warn: () => {} },
      appVersion: config.appVersion,
      onProgress: (bytes) => progress('Restoring', bytes),
    })
  } finally {
    await fresh.stop()
  }
}
