import { useEffect, useState } from 'react'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'

const cooldownSeconds = 60

/** Emails that can be requested once in 60 s, and the storage key for the time of the last request. */
export type CooldownName = 'magicLinkSentAt' | 'recoverySentAt' | 'verificationSentAt' | 'emailChangeSentAt'

/** Whole seconds left of a cooldown that began at `startedAtMs`; 0 when it is over or never began. */
export function computeRemainingSeconds(startedAtMs: number | undefined, nowMs: number): number {
  if (startedAtMs === undefined) return 0
  // A clock that was set back must not extend the cooldown.
  const passedSeconds = Math.max(0, (nowMs - startedAtMs) / 1000)
  return Math.max(0, Math.ceil(cooldownSeconds - passedSeconds))
}

/** Begins the cooldown of an email that was just requested. It survives a reload of the page. */
export function startCooldown(name: CooldownName, nowMs: number = Date.now()): void {
  writeStored(storageKeys[name], String(nowMs), 'session')
}

function readStart(name: CooldownName): number | undefined {
  const startedAtMs = Number(readStored(storageKeys[name], 'session') ?? Number.NaN)
  return Number.isFinite(startedAtMs) ? startedAtMs : undefined
}

/** Counts down 60 s after `send()` or `start()`, also over a reload. */
export function useCooldown(name: CooldownName) {
  const [startedAtMs, setStartedAtMs] = useState<number>()
  const [nowMs, setNowMs] = useState(0)
  const [isSending, setSending] = useState(false)
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
  const start = () => {
    const now = Date.now()
    startCooldown(name, now)
    setNowMs(now)
    setStartedAtMs(now)
  }
  /**
   * Requests the email. The countdown starts with the request, so that a second click finds it running, and ends on a
   * failure, so that retrying needs no wait.
   *
   * @returns the error message, if the request failed.
   */
  const send = async (request: () => Promise<void>): Promise<string | undefined> => {
    setSending(true)
    start()
    try {
      await request()
      return undefined
    } catch (error) {
      removeStored(storageKeys[name], 'session')
      setStartedAtMs(undefined)
      return describeAuthError(error)
    } finally {
      setSending(false)
    }
  }
  return { remainingSeconds, isSending, start, send }
}
