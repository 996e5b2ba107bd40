import { copyFileSync, statSync, truncateSync } from 'node:fs'

const maxLogBytes = 10_000_000
const lookEveryMs = 60_000

/**
 * Moves the content of a log that has grown too large to `<log>.1`, replacing that. Works while another process has the
 * log open for appending: renaming it would leave that process writing to the renamed file.
 */
export function rotateLog(log: string, maxBytes = maxLogBytes): void {
  try {
    if (statSync(log).size <= maxBytes) return
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
  } catch {
    // The log does not exist yet, or the disk is full: the next look tries again.
  }
}

/** Rotates a log whenever it has grown too large, until stopped. Does not keep the process alive. */
export function keepRotating(log: string): { stop(): void } {
  const timer = setInterval(() => rotateLog(log), lookEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
