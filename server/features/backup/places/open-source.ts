import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { hasErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { BackupError } from '../backup-error.ts'
import { openS3, openS3Source, readS3Address } from './s3-place.ts'

/** Opens an archive for reading. @throws BackupError when there is none. */
export async function openSource(
  place: string,
  { s3, stdin }: { s3: S3Settings | null; stdin: Readable },
): Promise<AsyncIterable<Buffer>> {
  // Without an encoding, a stream gives bytes.
  if (place === '-') return stdin as AsyncIterable<Buffer>
  const address = readS3Address(place)
  if (address) return openS3Source(openS3(s3, address.bucket), address)
  const handle = await open(place, 'r').catch((error: unknown) => {
    throw new BackupError(
      hasErrorCode(error, 'ENOENT')
        ? `There is no archive ${place}.`
        : `${place} can’t be read: ${readErrorMessage(error)}.`,
    )
  })
  return createReadStream('', { fd: handle, highWaterMark: 1024 * 1024 })
}
