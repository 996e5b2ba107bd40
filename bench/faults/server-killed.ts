import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { findServer } from './processes.ts'

const patienceMs = 30_000

/** The process that answers requests dies. */
export const serverKilled: Fault = {
  name: 'app killed',
  happen: async (stage) => {
    process.kill(await findServer(stage.web.child.pid), 'SIGKILL')
  },
}

/** Of the database's clock. */
let workerKilledAt = ''

/**
 * The process that runs jobs dies. The next one lives for as long as other faults are apart: killed as soon as it begins,
 * a worker could do nothing, and what would be measured is how long Node takes to load.
 */
export const workerKilled: Fault = {
  name: 'worker killed',
  happen: async (stage) => {
    const { rows } = await stage.query<{ now: string }>('select clock_timestamp()::text as now')
    workerKilledAt = rows[0]?.now ?? ''
    process.kill(await findServer(stage.worker.child.pid), 'SIGKILL')
  },
  passed: async (stage) => {
    const works = async () => {
      const { rows } = await stage.query('select from app.job_workers where started_at > $1', [workerKilledAt])
      return rows.length > 0
    }
    for (const until = performance.now() + patienceMs; !(await works()); await pause(50)) {
      if (performance.now() > until) throw new Error('the worker does not work again')
    }
  },
}
