import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#server/platform/read-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { fileName, formatVersion, type Header, type Manifest, secretsName, sequencesName } from './archive/format.ts'
import { readArchive } from './archive/read-archive.ts'
import { type Secrets, sealSecrets } from './archive/seal-secrets.ts'
import { createArchiveWriter, headerPart } from './archive/write-archive.ts'
import { BackupError } from './backup-error.ts'
import { findStoredFile, listNamedFiles } from './files/named-files.ts'
import type { Target } from './places/target.ts'
import { copyOut } from './rows/copy-out.ts'
import { openSnapshot, readSequences, type Snapshot } from './rows/snapshot.ts'

/** Files of the data folder that an instance cannot do without. */
export const secretFiles = ['instance-secret', 'auth-keys.json'] as const

const shownMissing = 100

export interface BackupOptions {
  /** Address of the database, as the login that owns it. */
  readonly url: string
  readonly storage: Storage
  readonly dataDir: string
  readonly appVersion: string
  /** Null: the secrets are left out. */
  readonly passphrase: string | null
  /** Called once the instance is known to be readable. */
  openTarget(estimatedBytes: number, createdAt: Date): Promise<Target>
  onProgress?(progress: BackupProgress): void
}

export interface BackupProgress {
  readonly step: 'write' | 'verify'
  readonly bytes: number
  /** As estimated; at the second step it is exact. */
  readonly expectedBytes: number
}

export interface MadeBackup {
  readonly createdAt: Date
  readonly bytes: number
  readonly manifest: Omit<Manifest, 'parts'>
  readonly hasSecrets: boolean
  /** Where it is, for people. */
  readonly location: string
}

/**
 * Writes the instance as it is at one moment into an archive, while it runs. The archive gets its name once every byte
 * was read again and compared.
 *
 * @throws BackupError with a line for the operator; no archive is left then.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const snapshot = await openSnapshot(options.url)
  let target: Target | undefined
  try {
    const secrets = options.passphrase === null ? {} : await readSecrets(options.dataDir)
    const createdAt = new Date()
    const expectedBytes = estimate(snapshot.estimatedBytes)
    target = await options.openTarget(expectedBytes, createdAt)
    const { manifest, bytes } = await write(options, { snapshot, target, secrets, createdAt, expectedBytes })
    await snapshot.requireHold()
    await snapshot.close()
    await target.complete()
    const written = await target.read()
    if (written) {
      const onProgress = (read: number) => options.onProgress?.({ step: 'verify', bytes: read, expectedBytes: bytes })
      await readArchive(written, { onHeader: async () => {}, onProgress })
    }
    await target.publish()
    return { createdAt, bytes, manifest, hasSecrets: Object.keys(secrets).length > 0, location: target.location }
  } catch (error) {
    await target?.discard().catch(() => {})
    throw error
  } finally {
    await snapshot.close()
  }
}

/** Rows take a third of their room once they are compressed, or less; files are stored as they are. */
function estimate({ rows, files }: Header['estimatedBytes']): number {
  return Math.ceil(rows / 2) + files
}

async function readSecrets(dataDir: string): Promise<Secrets> {
  const secrets: Record<string, string> = {}
  for (const name of secretFiles) {
    try {
      secrets[name] = await readFile(join(dataDir, name), 'utf8')
    } catch (error) {
      // Then it is a setting.
      if (!hasErrorCode(error, 'ENOENT')) throw error
    }
  }
  return secrets
}

interface Parts {
  readonly snapshot: Snapshot
  readonly target: Target
  readonly secrets: Secrets
  readonly createdAt: Date
  readonly expectedBytes: number
}

async function write(options: BackupOptions, { snapshot, target, secrets, createdAt, expectedBytes }: Parts) {
  const { storage, appVersion, passphrase, onProgress } = options
  const sink = {
    write: async (bytes: Buffer) => {
      await target.write(bytes)
      onProgress?.({ step: 'write', bytes: archive.written(), expectedBytes })
    },
  }
  const archive = createArchiveWriter(sink, createdAt)
  const hasSecrets = passphrase !== null && Object.keys(secrets).length > 0
  const header: Header = {
    product: 'earshot',
    format: formatVersion,
    appVersion,
    serverVersion: snapshot.serverVersion,
    createdAt: createdAt.toISOString(),
    migrations: [...snapshot.migrations],
    jobQueueRevision: snapshot.jobQueueRevision,
    tables: [...snapshot.tables],
    estimatedBytes: snapshot.estimatedBytes,
    hasSecrets,
  }
  await archive.add(...headerPart(header))
  if (hasSecrets) await archive.add(secretsName, await sealSecrets(secrets, passphrase))
  const tables: Manifest['tables'] = []
  for (const table of snapshot.tables) tables.push(await copyOut(snapshot.client, table, archive.add))
  const sequences = await readSequences(snapshot.client)
  await archive.add(sequencesName, Buffer.from(JSON.stringify(sequences)))
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: 0, missingKeys: [] }
  for await (const file of listNamedFiles(snapshot.client)) {
    const { key, isExpected } = file
    const found = await findStoredFile(storage, file)
    if (found) {
      await archive.addFile(fileName(key, found.isWhole), found.bytes, await found.open())
      files.count += 1
      files.bytes += found.bytes
    } else if (isExpected) {
      files.missing += 1
      if (files.missingKeys.length < shownMissing) files.missingKeys.push(key)
    }
  }
  const manifest = { tables, files }
  await archive.finish(manifest)
  return { manifest, bytes: archive.written() }
}

/** @throws BackupError when the place has too little room. */
export function requireRoom(place: string, room: { freeBytes: number; neededBytes: number }): void {
  if (room.freeBytes >= room.neededBytes) return
  const gib = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`
  throw new BackupError(
    `${place} has too little room: about ${gib(room.neededBytes)} are needed and ${gib(room.freeBytes)} are free. Free space, or use another place.`,
  )
}
