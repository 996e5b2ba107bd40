import type { Log } from '../log/log.ts'

/** Each resolves when its part works and rejects with the reason when it does not. */
export interface ReadyChecks {
  readonly database: () => Promise<void>
  readonly jobs: () => Promise<void>
  readonly disk: () => Promise<void>
}

type CheckResult = 'ok' | 'failed' | 'timeout'

export interface Readiness {
  readonly isReady: boolean
  readonly results: Readonly<Record<keyof ReadyChecks, CheckResult>>
}

/** Runs the checks side by side, each for at most `timeoutMs`. Reasons go to the log, never to the caller. */
export async function runChecks(checks: ReadyChecks, timeoutMs: number, log: Log): Promise<Readiness> {
  const [database, jobs, disk] = await Promise.all([
    runCheck('database', checks.database, timeoutMs, log),
    runCheck('jobs', checks.jobs, timeoutMs, log),
    runCheck('disk', checks.disk, timeoutMs, log),
  ])
  return { isReady: [database, jobs, disk].every((result) => result === 'ok'), results: { database, jobs, disk } }
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
