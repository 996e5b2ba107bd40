import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { ExportTooLargeError } from './export-too-large.ts'
import type { MadeFile, Order, Progress } from './make-file.ts'

/** The configured file storage. */
export interface StorageSettings {
  readonly dataDir: string
  readonly s3: S3Settings | null
}

/** Input of the process, sent through a channel because lists of processes show arguments. */
export interface Assignment {
  readonly order: Order
  readonly databaseUrl: string
  readonly databaseDirectUrl: string | null
  /** From which items are read, once it has all that was written before; null: from the primary. */
  readonly databaseReplicaUrl: string | null
  readonly storage: StorageSettings
}

/** Messages of the process: progress, then the outcome. */
export type Notice =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'made'; readonly made: MadeFile | undefined }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'failed'; readonly message: string }

// The npm package has it as JavaScript.
const program = join(import.meta.dirname, `export-process${extname(import.meta.filename)}`)
// The work needs a third of it. Without limits V8 lets garbage grow to several hundred megabytes before it looks at it.
const heapLimits = ['--max-old-space-size=100', '--max-semi-space-size=2']
const maxErrorCharacters = 2_000

/**
 * Makes a file in a process of its own, with little memory: an export's garbage does not pile up in the server's heap,
 * and an export that runs out of memory ends alone. That process ends with this one.
 *
 * @returns undefined when the author lost access to the items.
 * @throws ExportTooLargeError
 * @throws Error when the process failed or was ended from outside; the signal's reason when that ended it. Bytes
 * written until then remain in the storage, and the process writes no more of them.
 */
export function writeApart(
  assignment: Assignment,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<MadeFile | undefined> {
  return new Promise((resolve, reject) => {
    // It inherits the environment, which may contain the keys of an object store.
    const child = fork(program, [], {
      execArgv: heapLimits,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let end: Exclude<Notice, { kind: 'progress' }> | undefined
    let errors = ''
    const kill = () => child.kill('SIGKILL')
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', kill)
      finish()
    }
    child.on('message', (notice: Notice) => {
      if (notice.kind === 'progress') onProgress(notice.progress)
      else end = notice
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < maxErrorCharacters) errors += chunk.toString('utf8')
    })
    child.once('error', (error) => settle(() => reject(error)))
    child.once('close', (code, killedBy) =>
      settle(() => {
        if (signal.aborted) reject(signal.reason)
        else if (end?.kind === 'made') resolve(end.made)
        else if (end?.kind === 'too_large') reject(new ExportTooLargeError())
        else reject(new Error(end?.message ?? `an export’s process ended with ${code ?? killedBy}: ${errors.trim()}`))
      }),
    )
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    // The exit handler reports a process that failed to start.
    else child.send(assignment, () => {})
  })
}
