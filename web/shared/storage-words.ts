import { formatBytes } from './format-bytes.ts'

const nearlyFull = 0.8

/** `1.2 GB of 50 GB`; without a limit, `1.2 GB`. */
export function describeUse(usedBytes: number, limitBytes: number | null): string {
  const used = formatBytes(usedBytes)
  return limitBytes === null ? used : `${used} of ${formatBytes(limitBytes)}`
}

/** What to know near and at a limit. Undefined below 80 %, and without a limit. */
export function describeStanding(used: number, limit: number | null): string | undefined {
  if (limit === null || used < limit * nearlyFull) return undefined
  return used >= limit ? 'Full. Delete something to make room.' : 'Nearly full.'
}
