import type { Fault } from './fault.ts'
import { findServer } from './processes.ts'

/** The process that answers requests dies. */
export const serverKilled: Fault = {
  name: 'app killed',
  happen: async (stage) => {
    process.kill(await findServer(stage.web.child.pid), 'SIGKILL')
  },
}

/** The process that runs jobs dies. */
export const workerKilled: Fault = {
  name: 'worker killed',
  happen: async (stage) => {
    process.kill(await findServer(stage.worker.child.pid), 'SIGKILL')
  },
}
