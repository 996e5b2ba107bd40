import type { Log } from '../log/log.ts'

/** By name. Each resolves when its part works and rejects with the reason when it does not. */
export type Checks = Readonly<Record<string, () => Promise<void>>>

type CheckResult = 'ok' | 'failed' | 'timeout'

export interface Readiness {
  readonly isReady: boolean
  readonly results: Readonly<Record<string, CheckResult>>
}

/** Runs the checks side by side, each for at most `timeoutMs`. Reasons are logged, never returned. */
export async function runChecks(checks: Checks, timeoutMs: number, log: Log): Promise<Readiness> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, timeoutMs, log)] as const),
  )
  return { isReady: entries.every(([, result]) => result === 'ok'), results: Object.fromEntries(entries) }
}

async function runCheck(name: string, check: () => Promise<void>, timeoutMs: number, log: Log): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs)
  })
  try {
    // The extra async turns a check that throws at once into a rejection.
    const result = await Promise.race([(async () => check())().then(() => 'ok' as const), timeout])
    if (result === 'timeout') log.warn({ check: name, timeoutMs }, 'readiness check took too long')
    return result
  } catch (error) {
    log.warn({ check: name, err: error }, 'readiness check failed')
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
