import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { findPostmaster, listDescendants } from './processes.ts'

/** PostgreSQL neither answers nor breaks its connections, as on a machine that is paused or whose disk hangs. */
export const postgresFrozen: Fault = {
  name: 'PostgreSQL frozen',
  happen: async (stage, { freezeMs }) => {
    const postmaster = findPostmaster(stage.dataDir)
    // The postmaster first: it starts no more.
    process.kill(postmaster, 'SIGSTOP')
    const frozen = [postmaster, ...listDescendants(postmaster).map(({ pid }) => pid)]
    try {
      for (const pid of frozen) signal(pid, 'SIGSTOP')
      await pause(freezeMs)
    } finally {
      for (const pid of frozen.reverse()) signal(pid, 'SIGCONT')
    }
  },
}

/** A session may have ended since it was listed. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone.
  }
}
