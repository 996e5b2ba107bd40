import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { BackupBusyError } from '../backup-error.ts'

/** Input of the process, sent through a channel because lists of processes show arguments. */
export interface Assignment {
  readonly kind: 'backup' | 'drill'
  /** Address of the database, as the login that owns it. */
  readonly ownerUrl: string
  readonly dataDir: string
  readonly s3: S3Settings | null
  readonly appVersion: string
  /** The folder, of the disk or an object store. */
  readonly folder: string
  readonly passphrase: string | null
  /** Archives that stay; null: all. */
  readonly keep: number | null
  readonly floorBytes: number
}

export interface Outcome {
  readonly location: string
  readonly bytes: number | null
  readonly rowCount: number
  readonly fileCount: number
}

/** The only message of the process. */
export type Notice = { readonly outcome: Outcome } | { readonly problem: string; readonly isBusy: boolean }

// The npm package has it as JavaScript.
const program = join(import.meta.dirname, `backup-process${extname(import.meta.filename)}`)
const heapLimits = ['--max-old-space-size=256']
const maxErrorCharacters = 1_000

/**
 * Makes a backup, or a drill, in a process of its own, below the priority of those that answer requests. It ends with this
 * one.
 *
 * @throws Error whose message is the reason, in one line; the signal's reason when that ended it.
 * @throws BackupBusyError when another backup is running.
 */
export function runApart(assignment: Assignment, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // It inherits the environment, which may contain the keys of an object store.
    const child = fork(program, [], {
      execArgv: heapLimits,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let notice: Notice | undefined
    let errors = ''
    const kill = () => child.kill('SIGKILL')
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', kill)
      finish()
    }
    child.on('message', (message: Notice) => {
      notice = message
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < maxErrorCharacters) errors += chunk.toString('utf8')
    })
    child.once('error', (error) => settle(() => reject(error)))
    child.once('close', (code, killedBy) =>
      settle(() => {
        if (signal.aborted) reject(signal.reason)
        else if (notice && 'outcome' in notice) resolve(notice.outcome)
        else if (notice?.isBusy) reject(new BackupBusyError(notice.problem))
        else reject(new Error(notice?.problem ?? `Its process ended with ${code ?? killedBy}: ${errors.trim()}`))
      }),
    )
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    // The exit handler reports a process that failed to start.
    else child.send(assignment, () => {})
  })
}
