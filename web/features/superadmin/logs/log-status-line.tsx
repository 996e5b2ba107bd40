import type { LogStatus } from '#contract/superadmin-logs.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { formatBytes } from '#web/shared/format-bytes.ts'

/** How much of the log there is. */
export function LogStatusLine({ status }: { status: LogStatus }) {
  const { days, bytes, maxBytes, oldestAt } = status
  if (days === 0) return null
  return (
    <p className="mt-3 text-muted text-sm">
      Lines are kept for {days} days, and use {formatBytes(bytes)} of {formatBytes(maxBytes)}.
      {oldestAt !== null && ` The oldest are of ${formatDay(oldestAt)}.`}
      <span className="max-sm:hidden"> Keys: j, k, Enter, / to search, c to copy, p to pause.</span>
    </p>
  )
}
