import type { Log } from '../log/log.ts'

const reportEveryMs = 10_000

/**
 * Counts refusals and logs them once per ten seconds: a line for each would be a flood as well.
 *
 * @returns counts one; its result is false, the answer to a request
 */
export function createRefusals(log: Pick<Log, 'warn'>): () => false {
  let refused = 0
  const report = () => {
    log.warn({ refused, seconds: reportEveryMs / 1000 }, 'overload: requests refused')
    refused = 0
  }
  return () => {
    refused += 1
    if (refused === 1) setTimeout(report, reportEveryMs).unref()
    return false
  }
}
