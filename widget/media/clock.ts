export interface Clock {
  /** Milliseconds that it ran so far. */
  read(): number
  run(): void
  halt(): void
}

/** A stopwatch: what passes between `halt` and `run` does not count. */
export function createClock(now: () => number = () => performance.now()): Clock {
  let counted = 0
  let startedAt: number | undefined
  const read = () => counted + (startedAt === undefined ? 0 : now() - startedAt)
  return {
    read,
    run() {
      startedAt ??= now()
    },
    halt() {
      counted = read()
      startedAt = undefined
    },
  }
}
