import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#server/platform/read-error.ts'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { partialSuffix } from '../places/disk-target.ts'
import { openS3, readS3Address } from '../places/s3-place.ts'

/** Enough to go back over the last upgrades. The schedule keeps archives of its own beside them. */
const kept = 3

const namePattern = /^earshot-\d{8}T\d{6}Z-before-(\d{4}|postgres-\d+)\.tar$/

/** The name of an archive that is made before the migration `to`, or `postgres-18`. They sort in the order of their making. */
export function upgradeArchiveName(at: Date, to: string): string {
  return `earshot-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-before-${/^\d/.test(to) ? to.slice(0, 4) : to}.tar`
}

/** Deletes all but the newest archives of upgrades, and what killed attempts left there: one upgrade runs at a time. */
export async function pruneUpgradeArchives(folder: string, s3: S3Settings | null): Promise<void> {
  const address = readS3Address(folder)
  if (!address) {
    const names = await listNames(folder)
    const partial = names.filter(
      (name) => name.endsWith(partialSuffix) && namePattern.test(name.slice(0, -partialSuffix.length)),
    )
    for (const name of [...partial, ...choose(names)]) await rm(join(folder, name), { force: true })
    return
  }
  const bucket = openS3(s3, address.bucket)
  const names: string[] = []
  for await (const { key } of bucket.list(address.key)) names.push(key.slice(address.key.length))
  for (const name of choose(names)) await bucket.remove(address.key + name)
}

/** Removes one archive. A missing one is fine. */
export async function removeUpgradeArchive(location: string, s3: S3Settings | null): Promise<void> {
  const address = readS3Address(location)
  if (address) await openS3(s3, address.bucket).remove(address.key)
  else await rm(location, { force: true })
}

function choose(names: readonly string[]): string[] {
  return names
    .filter((name) => namePattern.test(name))
    .sort()
    .reverse()
    .slice(kept)
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}
