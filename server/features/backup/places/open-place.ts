import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { archiveName } from './archive-name.ts'
import { isFolder, openDiskTarget } from './disk-target.ts'
import { openS3, openS3Target, readS3Address } from './s3-place.ts'
import { openStreamTarget } from './stream-target.ts'
import type { Target } from './target.ts'

interface PlaceOptions {
  readonly s3: S3Settings | null
  readonly estimatedBytes: number
  /** Free space that an archive on a disk must leave. */
  readonly floorBytes: number
  readonly createdAt: Date
  /** What `-` is. */
  readonly stdout: Writable
}

/** Opens the place to write to. @throws BackupError */
export async function openPlace(place: string, options: PlaceOptions): Promise<Target> {
  const { s3, estimatedBytes, floorBytes, createdAt, stdout } = options
  if (place === '-') return openStreamTarget(stdout)
  const address = readS3Address(place)
  if (address) {
    const { bucket, key } = address
    const isPrefix = key === '' || key.endsWith('/')
    return openS3Target(openS3(s3, bucket), { bucket, key: isPrefix ? key + archiveName(createdAt) : key })
  }
  const path = (await isFolder(place)) ? join(place, archiveName(createdAt)) : place
  return openDiskTarget(path, { estimatedBytes, floorBytes })
}
