import type { SystemTx } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import { makeParts, measureParts, removeParts } from './writer.queries.ts'

interface LimitParts {
  readonly run: <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>
  readonly log: Pick<Log, 'warn'>
  readonly limits: { readonly days: number; readonly maxBytes: number }
  /** What the last call returned. */
  readonly wasFull: boolean
}

/**
 * Makes the next part of the stored log, and removes those that are too old or too many. Once an hour is enough; a flood of
 * lines needs it more often.
 *
 * @returns whether the part that is being written is larger than the limit by itself: nothing more may be stored.
 */
export async function keepLimits({ run, log, limits, wasFull }: LimitParts): Promise<boolean> {
  await run(makeParts)
  const removed = await run((tx) => removeParts(tx, limits.days, limits.maxBytes))
  const forSize = removed.filter(({ isForSize }) => isForSize)
  const last = forSize.at(-1)
  if (last) {
    log.warn(
      { parts: forSize.length, bytes: forSize.reduce((sum, { bytes }) => sum + bytes, 0), maxBytes: limits.maxBytes },
      `the stored log reached LOG_MAX_MB: lines of 6 hours from ${last.startsAt.toISOString()} and older were deleted`,
    )
  }
  const bytes = (await run(measureParts)).reduce((sum, part) => sum + part.bytes, 0)
  const isFull = bytes > limits.maxBytes
  if (isFull && !wasFull) {
    log.warn(
      { bytes, maxBytes: limits.maxBytes },
      'the lines of the last 6 hours reached LOG_MAX_MB: no more are stored',
    )
  }
  return isFull
}
