import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { findPostmaster } from './processes.ts'
import type { Stage } from './stage.ts'

export const postmasterKilled: Fault = {
  name: 'embedded postmaster killed',
  happen: async (stage) => {
    process.kill(findPostmaster(stage.dataDir), 'SIGKILL')
  },
  // Its sessions outlive it by moments and can serve meanwhile; new ones need its successor.
  passed: async (stage) => {
    for (;;) {
      const isThere = await stage.query('select').then(
        () => true,
        () => false,
      )
      if (isThere) return
      await pause(20)
    }
  },
}

/** As an operator or an upgrade does. */
export const postgresRestarted: Fault = {
  name: 'PostgreSQL restarted',
  happen: async (stage) => {
    const before = findPostmaster(stage.dataDir)
    process.kill(before, 'SIGINT')
    // How long it takes to stop is its own affair.
    while (await isGone(stage, before)) await pause(20)
  },
}

/** As the kernel does when memory runs out: PostgreSQL ends all sessions and recovers. */
export const backendKilled: Fault = {
  name: 'one backend killed',
  happen: async (stage) => {
    const { rows } = await stage.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'earshot' order by state = 'active' desc, random() limit 1`,
    )
    if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
  },
}

export const backendsTerminated: Fault = {
  name: 'all backends terminated',
  happen: async (stage) => {
    await stage.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
  },
}

/** Whether it is still the old one, or none yet, that has this folder. */
async function isGone(stage: Stage, before: number): Promise<boolean> {
  try {
    await stage.query('select 1')
    return findPostmaster(stage.dataDir) === before
  } catch {
    return true
  }
}
