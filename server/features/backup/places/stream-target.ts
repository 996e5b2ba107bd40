import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { BackupError } from '../backup-error.ts'
import type { Target } from './target.ts'

/** Writes to a pipe. Nothing can be taken back: a cut archive lacks its manifest, and no restore accepts it. */
export function openStreamTarget(output: Writable): Target {
  let failure: Error | undefined
  output.on('error', (error) => {
    failure = error
  })
  const requireOpen = () => {
    if (failure) throw new BackupError(`The archive could not be written: ${failure.message}. Make the backup again.`)
  }
  return {
    location: 'standard output',
    write: async (bytes) => {
      requireOpen()
      if (!output.write(bytes)) await Promise.race([once(output, 'drain'), once(output, 'close')])
      requireOpen()
    },
    complete: async () => {
      await new Promise<void>((resolve) => output.write('', () => resolve()))
      requireOpen()
    },
    read: async () => undefined,
    publish: async () => {},
    discard: async () => {},
  }
}
