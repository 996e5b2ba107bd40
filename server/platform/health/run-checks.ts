import type { Log } from '../log/log.ts'

/**
 * What may be missing while requests are still served. `no_worker`: no process with the service worker is alive.
 * `read_only`: writes are refused, for maintenance.
 */
export type Shortcoming = 'no_worker' | 'read_only'

/**
 * By name. Each resolves when its part works, resolves with a shortcoming when requests can be served all the same, and
 * rejects with the reason when its part does not work.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing
export type Checks = Readonly<Record<string, () => Promise<Shortcoming | undefined | void>>>

type CheckResult = 'ok' | Shortcoming | 'failed' | 'timeout'

export interface Readiness {
  readonly isReady: boolean
  readonly results: Readonly<Record<string, CheckResult>>
}

/** Runs the checks side by side, each for at most `timeoutMs`. Reasons are logged, never returned. */
export async function runChecks(checks: Checks, timeoutMs: number, log: Log): Promise<Readiness> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, timeoutMs, log)] as const),
  )
  return {
    isReady: entries.every(([, result]) => ['ok', 'no_worker', 'read_only'].includes(result)),
    results: Object.fromEntries(entries),
  }
}

async function runCheck(name: string, check: Checks[string], timeoutMs: number, log: Log): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs)
  })
  try {
    // The extra async turns a check that throws at once into a rejection.
    const result = await Promise.race([(async () => (await check()) ?? ('ok' as const))(), timeout])
    if (result === 'no_worker') log.warn({ check: name }, 'no worker has been seen for a minute: jobs and emails wait')
    if (result === 'timeout') log.warn({ check: name, timeoutMs }, 'readiness check took too long')
    return result
  } catch (error) {
    log.warn({ check: name, err: error }, 'readiness check failed')
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
