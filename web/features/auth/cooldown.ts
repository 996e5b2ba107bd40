import { useEffect, useState } from 'react'

const cooldownSeconds = 60

/** Whole seconds left of a cooldown that began at `startedAtMs`; 0 when it is over or never began. */
export function computeRemainingSeconds(startedAtMs: number | undefined, nowMs: number): number {
  if (startedAtMs === undefined) return 0
  // A clock that was set back must not lock anybody out for longer than the cooldown.
  const passedSeconds = Math.max(0, (nowMs - startedAtMs) / 1000)
  return Math.max(0, Math.ceil(cooldownSeconds - passedSeconds))
}

/** Counts down 60 s after `start()`; `clear()` ends it at once. `initiallyStarted`: something was sent just now. */
export function useCooldown(initiallyStarted = false) {
  const [startedAtMs, setStartedAtMs] = useState<number | undefined>(() => (initiallyStarted ? Date.now() : undefined))
  const [nowMs, setNowMs] = useState(() => Date.now())
  const remainingSeconds = computeRemainingSeconds(startedAtMs, nowMs)
  const isRunning = remainingSeconds > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNowMs(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return {
    remainingSeconds,
    start() {
      setNowMs(Date.now())
      setStartedAtMs(Date.now())
    },
    clear: () => setStartedAtMs(undefined),
  }
}
