import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { S3Settings } from '#server/platform/storage/s3-storage.ts'
import type { MadeFile, Order, Progress } from './make-file.ts'

/** Where files lie, as configured. */
export interface StorageSettings {
  readonly dataDir: string
  readonly s3: S3Settings | null
}

/** What a process is told at its beginning, through a channel that no list of processes shows. */
export interface Assignment {
  readonly order: Order
  readonly databaseUrl: string
  readonly storage: StorageSettings
}

/** What a process tells: how far it is, then how it ended. */
export type Notice =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'made'; readonly made: MadeFile | undefined }
  | { readonly kind: 'failed'; readonly message: string }

const program = fileURLToPath(new URL('./export-process.ts', import.meta.url))
// The work needs a third of it. Without limits V8 lets garbage grow to several hundred megabytes before it looks at it.
const heapLimits = ['--max-old-space-size=100', '--max-semi-space-size=2']
const maxErrorCharacters = 2_000

/**
 * Makes a file in a process of its own, with little memory: what an export leaves to be cleared up does not pile up
 * beside what answers people, and one that finds no end of memory ends alone. That process ends with this one.
 *
 * @returns undefined when whoever asked may not see the items any more.
 * @throws Error when the process failed or was ended from outside; the signal's reason when that ended it. What it
 * wrote until then lies in the storage, and nobody adds to it any more.
 */
export function writeApart(
  assignment: Assignment,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<MadeFile | undefined> {
  return new Promise((resolve, reject) => {
    // Its environment is ours: that is where the keys of an object store may stand.
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
        else reject(new Error(end?.message ?? `an export’s process ended with ${code ?? killedBy}: ${errors.trim()}`))
      }),
    )
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    // A process that could not even begin is told of by its end.
    else child.send(assignment, () => {})
  })
}
