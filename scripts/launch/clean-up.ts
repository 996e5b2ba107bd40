/** Something that was started and has to be stopped. */
type Stoppable = {
  stop(): Promise<void>
  /** Ends it at once, without waiting. */
  kill?(): void
}

/** What this process has started, stopped in the opposite order. */
export type CleanUp = {
  add(started: Stoppable): void
  /** Stops everything, once; a failure to stop one does not keep the others running. */
  stopAll(): Promise<void>
  killAll(): void
  /** Whether the stop has begun: what ends from then on was asked to. */
  isStopping(): boolean
}

export function createCleanUp(): CleanUp {
  const started: Stoppable[] = []
  let stopping: Promise<void> | undefined
  async function stopInTurn(): Promise<void> {
    for (let next = started.pop(); next !== undefined; next = started.pop()) {
      try {
        await next.stop()
      } catch (error) {
        process.stderr.write(`earshot: while stopping: ${(error as Error).message}\n`)
        next.kill?.()
      }
    }
  }
  return {
    add: (each) => started.push(each),
    isStopping: () => stopping !== undefined,
    stopAll() {
      stopping ??= stopInTurn()
      return stopping
    },
    killAll() {
      for (const each of started) each.kill?.()
    },
  }
}

/** Ctrl-C reaches a process once from the terminal and again through npm; what comes this soon after is the same one. */
const sameSignalMs = 700

/**
 * Ends this process in order when it is asked to: everything is stopped, and the exit code is 0. Asked a second time, it
 * ends at once.
 */
export function stopOnSignals(cleanUp: CleanUp, onStop: () => void = () => {}): void {
  let firstAt: number | undefined
  const onSignal = (): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt < sameSignalMs) return
      cleanUp.killAll()
      process.exit(130)
    }
    firstAt = performance.now()
    onStop()
    cleanUp.stopAll().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // A closed terminal must not turn the last message into a crash.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}

/** Says in one line why this process ends, stops what it had started, and ends it with code 1. */
export async function fail(error: unknown, cleanUp: CleanUp): Promise<never> {
  // What breaks because it is being stopped is no failure.
  if (cleanUp.isStopping()) return new Promise<never>(() => {})
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`earshot: ${message.trim().split('\n')[0]}\n`)
  if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  await cleanUp.stopAll()
  process.exit(1)
}
