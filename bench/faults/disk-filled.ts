import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const holdMs = 2_000
const usualSize = '1500m'

/** The disk with the product's data is full for a while. It is a file system in memory, which can be made smaller. */
export const diskFilled: Fault = {
  name: 'disk filled and freed',
  obstacle: (stage) => (stage.isSmallDisk ? undefined : 'mounting a small file system takes root'),
  happen: async (stage) => {
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
      resize(stage.dataDir, usualSize)
    }
  },
}

/** Leaves no room for more than has been written. */
function fill(folder: string): void {
  for (let attempt = 1; ; attempt += 1) {
    const { blocks, bfree, bsize } = statfsSync(folder)
    try {
      resize(folder, String((blocks - bfree) * bsize))
      return
    } catch (error) {
      // Something was written in the meantime.
      if (attempt === 20) throw error
    }
  }
}

/** Mounts a small file system. @returns whether this user may. */
export function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${usualSize},mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}

function resize(folder: string, size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'pipe' })
}
