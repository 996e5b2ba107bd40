import { statfsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { resizeSmallDisk } from './small-disk.ts'
import type { Stage } from './stage.ts'

/** The disk with the product's data is full for a while. It is a file system in memory, which can be made smaller. */
export const diskFilled: Fault = {
  name: 'disk filled and freed',
  obstacle: (stage) => (stage.isSmallDisk ? undefined : 'mounting a small file system takes root'),
  happen: async (stage, { holdMs }) => {
    fillDisk(stage.dataDir)
    try {
      await exhaustWal(stage)
      await pause(holdMs)
    } finally {
      resizeSmallDisk(stage.dataDir)
    }
  },
}

/**
 * Uses up the log that PostgreSQL has in reserve on a full disk: it ends all sessions, and can't even record its own recovery.
 *
 * @throws Error when the disk was not full
 */
export async function exhaustWal(stage: Pick<Stage, 'query'>): Promise<void> {
  const write = `select pg_logical_emit_message(false, 'full', repeat('x', 1000000)) from generate_series(1, 1400)`
  const isFull = await stage.query(write).then(
    () => false,
    () => true,
  )
  if (!isFull) throw new Error('the disk was not full')
}

/** Leaves no room for more than has been written. */
export function fillDisk(folder: string): void {
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
