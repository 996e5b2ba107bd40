import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#server/platform/read-error.ts'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { isArchiveName } from './archive-name.ts'
import { partialSuffix } from './disk-target.ts'
import { openS3, readS3Address } from './s3-place.ts'

/** No backup takes that long: its process was killed. */
const abandonedMs = 24 * 3_600_000

/** Archives in a folder of a disk or of an object store, newest first, as places that can be opened. */
export async function listArchives(folder: string, s3: S3Settings | null): Promise<string[]> {
  const address = readS3Address(folder)
  if (!address) {
    const names = await listNames(folder)
    return names
      .filter(isArchiveName)
      .sort()
      .reverse()
      .map((name) => join(folder, name))
  }
  const found: string[] = []
  for await (const { key } of openS3(s3, address.bucket).list(address.key)) {
    if (isArchiveName(key.slice(address.key.length))) found.push(`s3://${address.bucket}/${key}`)
  }
  return found.sort().reverse()
}

/** Deletes all but the newest archives of a folder, and what killed backups left there. Others' files stay. */
export async function pruneArchives(folder: string, keep: number, s3: S3Settings | null): Promise<void> {
  for (const place of (await listArchives(folder, s3)).slice(keep)) {
    const address = readS3Address(place)
    if (address) await openS3(s3, address.bucket).remove(address.key)
    else await rm(place, { force: true })
  }
  if (readS3Address(folder)) return
  for (const name of await listNames(folder)) {
    if (!name.endsWith(partialSuffix) || !isArchiveName(name.slice(0, -partialSuffix.length))) continue
    const path = join(folder, name)
    if ((await stat(path)).mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true })
  }
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}
