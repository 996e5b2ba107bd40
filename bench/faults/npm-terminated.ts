import type { Fault } from './fault.ts'
import { findPostmaster, isRunning } from './processes.ts'

const longestStopMs = 10_000

/** Someone ends the npm process: everything has to stop, and is started again. */
export const npmTerminated: Fault = {
  name: 'TERM of npm, started again',
  happen: async (stage) => {
    const postmaster = findPostmaster(stage.dataDir)
    const askedAt = performance.now()
    stage.web.child.kill('SIGTERM')
    // When the last process that holds its output has ended.
    await stage.web.ended
    const tookMs = performance.now() - askedAt
    const isLeft = isRunning(postmaster)
    await stage.startWeb()
    if (tookMs > longestStopMs) throw new Error(`it stopped after ${Math.round(tookMs)} ms`)
    if (isLeft) throw new Error('PostgreSQL was left running')
  },
}
