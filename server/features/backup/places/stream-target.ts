import type { Writable } from 'node:stream'
import { BackupError } from '../backup-error.ts'
import type { Target } from './target.ts'

/** Writes to a pipe. Written bytes stay written: a cut archive lacks its manifest, and no restore accepts it. */
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
      if (!output.write(bytes)) await waitForRoom(output)
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

/** Also ends when the reader is gone. */
function waitForRoom(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      output.off('drain', go).off('close', go)
      resolve()
    }
    output.on('drain', go).on('close', go)
  })
}
