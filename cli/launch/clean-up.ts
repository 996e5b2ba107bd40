import { readErrorMessage } from '#server/platform/read-error.ts'

/** How to stop: immediately for someone who waits at a terminal, else in a way that no request notices. */
export type StopManner = { immediately: boolean }

/** A started service that must be stopped. */
type Stoppable = {
  stop(how: StopManner): Promise<void>
  /** Ends it immediately, without waiting. */
  kill?(): void
}

/** The services started by this process, stopped in reverse order. */
export type CleanUp = {
  add(started: Stoppable): void
  /** Stops all of them, once; a failure to stop one does not affect the others. */
  stopAll(how?: StopManner): Promise<void>
  killAll(): void
  /** Whether the stop has begun: services that end afterwards were requested to. */
  isStopping(): boolean
}

export function createCleanUp(): CleanUp {
  const started: Stoppable[] = []
  let stopping: Promise<void> | undefined
  async function stopInTurn(how: StopManner): Promise<void> {
    for (let next = started.pop(); next !== undefined; next = started.pop()) {
      try {
        await next.stop(how)
      } catch (error) {
        process.stderr.write(`earshot: while stopping: ${readErrorMessage(error)}\n`)
        next.kill?.()
      }
    }
  }
  return {
    add: (each) => started.push(each),
    isStopping: () => stopping !== undefined,
    stopAll(how = { immediately: true }) {
      stopping ??= stopInTurn(how)
      return stopping
    },
    killAll() {
      for (const each of started) each.kill?.()
    },
  }
}

/**
 * Ctrl-C reaches a process once from the terminal and again through npm; a second signal within this time is the same
 * one.
 */
const sameSignalMs = 700

/**
 * Shuts this process down on a signal: stops all services and exits with code 0. A second signal ends it immediately.
 */
export function stopOnSignals(cleanUp: CleanUp, onStop: () => void = () => {}): void {
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      // A lost terminal or a lost npm (see bootstrap.js) isn't someone asking again.
      if (signal === 'SIGHUP' || performance.now() - firstAt < sameSignalMs) return
      cleanUp.killAll()
      process.exit(130)
    }
    firstAt = performance.now()
    onStop()
    cleanUp.stopAll({ immediately: signal !== 'SIGTERM' }).then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // A closed terminal must not turn the last message into a crash.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}

/** A clean stop that takes longer than this has itself met the bug. */
const bugStopMs = 10_000

/**
 * An exception or a rejection that no code handled is a bug: this process is in an unknown state. It is reported, and
 * the process stops in order, with code 1.
 */
export function stopOnBugs(cleanUp: CleanUp, report: (error: unknown) => void): void {
  const onBug = (error: unknown): void => {
    report(error)
    // A stop that is under way ends the process.
    if (cleanUp.isStopping()) return
    setTimeout(() => process.exit(1), bugStopMs).unref()
    cleanUp.stopAll().then(() => process.exit(1))
  }
  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
}

/** Prints one line with the reason, stops all services, and exits with code 1. */
export async function fail(error: unknown, cleanUp: CleanUp): Promise<never> {
  // Errors during a stop are not failures.
  if (cleanUp.isStopping()) return new Promise<never>(() => {})
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`earshot: ${message.trim().split('\n')[0]}\n`)
  if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  await cleanUp.stopAll()
  process.exit(1)
}
