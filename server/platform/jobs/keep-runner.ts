import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Runner, WorkerEvents } from 'graphile-worker'
import { type BackOff, choosePause } from '../back-off.ts'
import { readErrorMessage } from '../read-error.ts'

/** A runner of graphile-worker that is replaced whenever it may have lost sight of its queue. */
export interface KeptRunner {
  /** Ids under which jobs are locked by this process: of the runner, and of replaced ones that still finish jobs. */
  lockIds(): string[]
  /** Finishes the jobs at hand. */
  stop(): Promise<void>
}

export interface KeepRunnerOptions {
  /** Starts a runner that reports to these events. */
  readonly start: (events: WorkerEvents) => Promise<Runner>
  /** Called with the id of a replaced runner after its last job: what is still locked under it will never be finished. */
  readonly onEnded: (lockId: string) => Promise<void>
  readonly onReplaced: (reason: string) => void
  /** Called when a successor has started: it has a lock id of its own. */
  readonly onStartedAgain: () => void
}

interface Current {
  readonly lockId: string
  /** Resolves with the reason when it should be replaced. */
  readonly broken: Promise<string>
  /** Takes no more jobs; resolves when those at hand have ended and were recorded, as far as possible. */
  stop(): Promise<void>
}

const restarting: BackOff = { firstMs: 200, longestMs: 2_000 }
/** A runner that worked for this long has no part in the failures before it. */
const steadyMs = 30_000
/** Recording that the last jobs are done takes one statement. */
const recordingMs = 1_000

/**
 * Keeps a runner going.
 *
 * graphile-worker gives up when it can't record that a job is done; and a lost answer to its question for jobs, or a lost
 * record that one is done, leaves jobs locked by a runner that doesn't run them. So a runner that lost a connection gets a
 * successor, finishes the jobs that it has, and then gives back whatever is locked under its id.
 *
 * @throws when the first runner can't be started.
 */
export async function keepRunner({
  start,
  onEnded,
  onReplaced,
  onStartedAgain,
}: KeepRunnerOptions): Promise<KeptRunner> {
  const stopping = new AbortController()
  const finishing = new Map<Current, Promise<void>>()
  let current: Current | undefined = await open(start)

  async function keep(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      if (current) {
        const startedAt = performance.now()
        const reason = await Promise.race([current.broken, aborted(stopping.signal)])
        if (stopping.signal.aborted) return
        if (performance.now() - startedAt > steadyMs) failures = 0
        onReplaced(reason)
        finishing.set(current, finish(current))
        current = undefined
      }
      failures += 1
      await pause(choosePause(restarting, failures), undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      // The database is still away: the heartbeat and the readiness check say so.
      current = await open(start).catch(() => undefined)
      if (current) onStartedAgain()
    }
  }

  async function finish(old: Current): Promise<void> {
    await old.stop()
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      try {
        await onEnded(old.lockId)
        break
      } catch {
        // Still away. Without heartbeats its locks would expire, but later.
        await pause(choosePause(restarting, failures), undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    finishing.delete(old)
  }

  const keeping = keep()
  return {
    lockIds: () => [...finishing.keys(), ...(current ? [current] : [])].map(({ lockId }) => lockId),
    stop: async () => {
      stopping.abort()
      // Before a new one that is just being started.
      await current?.stop()
      await keeping
      await Promise.all([current?.stop(), ...finishing.values()])
    },
  }
}

async function open(start: KeepRunnerOptions['start']): Promise<Current> {
  const events: WorkerEvents = new EventEmitter()
  const broken = Promise.withResolvers<string>()
  const idle = Promise.withResolvers<void>()
  let lockId = ''
  let workers = 0
  events.on('pool:create', ({ workerPool }) => {
    lockId = workerPool.id
  })
  events.on('worker:create', () => {
    workers += 1
  })
  events.on('worker:stop', () => {
    workers -= 1
    if (workers === 0) idle.resolve()
  })
  events.on('pool:fatalError', ({ error }) => broken.resolve(readErrorMessage(error)))
  events.on('worker:getJob:error', ({ error }) => broken.resolve(readErrorMessage(error)))
  // The one connection that is always open. A server that crashed may have lost what was recorded in its last second.
  events.on('pool:listen:error', ({ error }) => broken.resolve(readErrorMessage(error)))
  const runner = await start(events)
  runner.promise.catch(() => {}).then(() => broken.resolve('it has stopped'))
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await Promise.race([
      // Rejects when it has stopped already.
      runner.stop().catch(() => idle.promise),
      // Once recording has failed, graphile-worker 0.18 waits for its batches for ever.
      idle.promise.then(() => pause(recordingMs)),
    ])
  }
  return {
    lockId,
    broken: broken.promise,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopping'), { once: true }))
}
