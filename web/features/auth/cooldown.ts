import { useEffect, useState } from 'react'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'

const cooldownSeconds = 60

/** The mails that can be asked for once in 60 s: where it is kept when the last one was. */
export type CooldownName = 'magicLinkSentAt' | 'recoverySentAt' | 'verificationSentAt' | 'emailChangeSentAt'

/** Whole seconds left of a cooldown that began at `startedAtMs`; 0 when it is over or never began. */
export function computeRemainingSeconds(startedAtMs: number | undefined, nowMs: number): number {
  if (startedAtMs === undefined) return 0
  // A clock that was set back must not lock anybody out for longer than the cooldown.
  const passedSeconds = Math.max(0, (nowMs - startedAtMs) / 1000)
  return Math.max(0, Math.ceil(cooldownSeconds - passedSeconds))
}

/** Begins the cooldown of a mail that was asked for just now. It survives a reload of the page. */
export function startCooldown(name: CooldownName, nowMs: number = Date.now()): void {
  writeStored(storageKeys[name], String(nowMs), 'session')
}

function readStart(name: CooldownName): number | undefined {
  const startedAtMs = Number(readStored(storageKeys[name], 'session') ?? Number.NaN)
  return Number.isFinite(startedAtMs) ? startedAtMs : undefined
}

/** Counts down 60 s after `start()`, also over a reload; `clear()` ends it at once. */
export function useCooldown(name: CooldownName) {
  const [startedAtMs, setStartedAtMs] = useState<number>()
  const [nowMs, setNowMs] = useState(0)
  // After the first render: the server has no storage to read, and both must draw the same.
  useEffect(() => {
    setNowMs(Date.now())
    setStartedAtMs(readStart(name))
  }, [name])
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
      const now = Date.now()
      startCooldown(name, now)
      setNowMs(now)
      setStartedAtMs(now)
    },
    clear() {
      removeStored(storageKeys[name], 'session')
      setStartedAtMs(undefined)
    },
  }
}
