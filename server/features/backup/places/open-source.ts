import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Config } from '#server/config.ts'
import { hasErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import { BackupError } from '../backup-error.ts'

/** Opens an archive for reading. @throws BackupError when there is none. */
export async function openSource(
  place: string,
  { stdin }: { config: Pick<Config, 's3'>; stdin: Readable },
): Promise<AsyncIterable<Buffer>> {
  // Without an encoding, a stream gives bytes.
  if (place === '-') return stdin as AsyncIterable<Buffer>
  const handle = await open(place, 'r').catch((error: unknown) => {
    throw new BackupError(
      hasErrorCode(error, 'ENOENT')
        ? `There is no archive ${place}.`
        : `${place} can’t be read: ${readErrorMessage(error)}.`,
    )
  })
  return createReadStream('', { fd: handle, highWaterMark: 1024 * 1024 })
}
