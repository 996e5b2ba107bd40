import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Config } from '#server/config.ts'
import { isFolder, openDiskTarget } from './disk-target.ts'
import { openStreamTarget } from './stream-target.ts'
import type { Target } from './target.ts'

/** The name of an archive, by which they sort in the order of their making. */
export function archiveName(at: Date): string {
  return `earshot-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.tar`
}

/** Whether a file of a folder is an archive that was named by {@link archiveName}. */
export function isArchiveName(name: string): boolean {
  return /^earshot-\d{8}T\d{6}Z\.tar$/.test(name)
}

interface PlaceOptions {
  readonly config: Pick<Config, 's3' | 'dataDir' | 'quotas'>
  readonly estimatedBytes: number
  readonly createdAt: Date
  /** What `-` is; null: nothing. */
  readonly stdout: Writable
}

/** Opens the place to write to. @throws BackupError */
export async function openPlace(place: string, options: PlaceOptions): Promise<Target> {
  const { config, estimatedBytes, createdAt, stdout } = options
  if (place === '-') return openStreamTarget(stdout)
  const path = (await isFolder(place)) ? join(place, archiveName(createdAt)) : place
  // What submissions need stays free.
  const floorBytes = config.quotas.floorMegabytes.submission * 1024 ** 2
  return openDiskTarget(path, { estimatedBytes, floorBytes })
}
