import { useSyncExternalStore } from 'react'
import { formatFullTime, formatRelativeTime, formatShortTime } from '../lib/relative-time.ts'

const tickMs = 20_000
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

// One clock for all times on the page.
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const each of listeners) each()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function readClock(): number {
  // After a pause without listeners the last tick is old. Otherwise two readings of one render must agree.
  if (timer === undefined && Date.now() - nowMs > tickMs) nowMs = Date.now()
  return nowMs
}

/** How long ago something was, kept current; the full time stands in the title. */
export function RelativeTime({ iso, short = false, className }: { iso: string; short?: boolean; className?: string }) {
  const now = useSyncExternalStore(subscribe, readClock, () => Date.parse(iso))
  return (
    <time dateTime={iso} title={formatFullTime(iso)} className={className}>
      {short ? formatShortTime(iso, now) : formatRelativeTime(iso, now)}
    </time>
  )
}
