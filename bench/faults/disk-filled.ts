import { statfsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { resizeSmallDisk } from './small-disk.ts'

/** The disk with the product's data is full for a while. It is a file system in memory, which can be made smaller. */
export const diskFilled: Fault = {
  name: 'disk filled and freed',
  obstacle: (stage) => (stage.isSmallDisk ? undefined : 'mounting a small file system takes root'),
  happen: async (stage, { holdMs }) => {
    fill(stage.dataDir)
    try {
      // Uses up the log that PostgreSQL has in reserve: it ends all sessions, and can't even record its own recovery.
      const write = `select pg_logical_emit_message(false, 'full', repeat('x', 1000000)) from generate_series(1, 1400)`
      const isFull = await stage.query(write).then(
        () => false,
        () => true,
      )
      if (!isFull) throw new Error('the disk was not full')
      await pause(holdMs)
    } finally {
      resizeSmallDisk(stage.dataDir)
    }
  },
}

/** Leaves no room for more than has been written. */
function fill(folder: string): void {
  for (let attempt = 1; ; attempt += 1) {
    const { blocks, bfree, bsize } = statfsSync(folder)
    try {
      resizeSmallDisk(folder, String((blocks - bfree) * bsize))
      return
    } catch (error) {
      // Something was written in the meantime.
      if (attempt === 20) throw error
    }
  }
}
