import type { Database } from '../database/database.ts'
import { ProductError } from '../http/product-error.ts'
import type { Log } from '../log/log.ts'
import { findReadOnlyMode, type ReadOnlyMode, readOnlyChannel } from './read-only.queries.ts'

/**
 * Whether the instance is read-only for maintenance. The database has the state; each process has a copy in memory, which it
 * reads again when NOTIFY tells it, after a lost connection, and every few seconds in case that a notification was lost.
 */
export interface ReadOnly {
  /** Undefined: the instance takes writes. */
  current(): ReadOnlyMode | undefined
  /** @throws ProductError `read_only`. */
  requireWrites(): void
  /** Called after each beginning and end. Nothing waits for it. */
  onChange(listener: () => void): void
  /** Reads the state and follows it. Until then, the instance counts as taking writes. */
  start(): Promise<void>
  close(): Promise<void>
}

/** As often as workers report. */
const readEveryMs = 5_000
/** Visitors' browsers and other programs ask again so soon, whatever end is expected: it may come earlier. */
const longestRetrySeconds = 60
const shortestRetrySeconds = 5

export function createReadOnly(
  database: Pick<Database, 'asSystem' | 'listen'>,
  log: Pick<Log, 'info' | 'warn'>,
  { everyMs = readEveryMs } = {},
): ReadOnly {
  let mode: ReadOnlyMode | undefined
  const listeners: (() => void)[] = []
  let stopListening = async () => {}
  let timer: NodeJS.Timeout | undefined
  // One read after the other: an older answer must not replace a newer one.
  let reading = Promise.resolve()

  async function read(): Promise<void> {
    const next = await findReadOnlyMode(database)
    const hasChanged = (next === undefined) !== (mode === undefined)
    mode = next
    if (!hasChanged) return
    log.info(next ? 'the instance is read-only now' : 'the instance takes writes again')
    for (const listener of listeners) listener()
  }

  function readSoon(): void {
    // A database that is away keeps the state as it was; the next round asks again.
    reading = reading.then(read).catch((error: unknown) => log.warn({ err: error }, 'read-only mode was not read'))
  }

  return {
    current: () => mode,
    requireWrites: () => {
      if (mode) throw refuseWrite(mode)
    },
    onChange: (listener) => {
      listeners.push(listener)
    },
    start: async () => {
      stopListening = await database.listen(readOnlyChannel, readSoon, readSoon)
      await read()
      timer = setInterval(readSoon, everyMs)
      timer.unref()
    },
    close: async () => {
      clearInterval(timer)
      await stopListening()
      await reading
    },
  }
}

/** For commands and tests that run jobs without a server. */
export const neverReadOnly: Pick<ReadOnly, 'current' | 'requireWrites'> = {
  current: () => undefined,
  requireWrites: () => {},
}

/** The refusal of a write, with the superadmin's own words if there are any. */
export function refuseWrite({ message, endsAt }: ReadOnlyMode): ProductError {
  const untilEnd = endsAt ? Math.ceil((endsAt.getTime() - Date.now()) / 1000) : longestRetrySeconds
  const retryAfterSeconds = Math.min(longestRetrySeconds, Math.max(shortestRetrySeconds, untilEnd))
  return new ProductError('read_only', {
    retryAfterSeconds,
    ...(message !== null && { detail: `Earshot is read-only for maintenance. ${message}` }),
  })
}
