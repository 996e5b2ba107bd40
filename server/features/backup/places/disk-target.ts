import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { hasErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import { BackupError } from '../backup-error.ts'
import { requireRoom } from '../make-backup.ts'
import type { Target } from './target.ts'

/** Of an archive that is being written. One that was killed leaves such a file; the next backup to that name replaces it. */
export const partialSuffix = '.partial'

const flushBytes = 1024 * 1024
/** A single sync at the end would hold up the database's own for seconds. */
const syncEveryBytes = 16 * 1024 * 1024
const lookEveryBytes = 256 * 1024 * 1024

/**
 * Writes to a file. It has its name only when it is whole, verified and on the disk.
 *
 * @param floorBytes free space that the archive must leave.
 * @throws BackupError when there is such a file, or too little room.
 */
export async function openDiskTarget(
  path: string,
  { estimatedBytes, floorBytes }: { estimatedBytes: number; floorBytes: number },
): Promise<Target> {
  const folder = dirname(path)
  const draft = `${path}${partialSuffix}`
  if (existsSync(path)) throw new BackupError(`${path} exists already. Use another name.`)
  const handle = await prepare(folder, draft)
  const location = path
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let unseen = 0
  let unsynced = 0

  async function flush(): Promise<void> {
    const bytes = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    unseen += bytes.length
    if (unseen >= lookEveryBytes) {
      unseen = 0
      requireRoom(folder, { freeBytes: await readFree(folder), neededBytes: floorBytes })
    }
    await writeAll(handle, bytes, folder)
    unsynced += bytes.length
    if (unsynced < syncEveryBytes) return
    unsynced = 0
    await naming(folder, handle.datasync())
  }

  try {
    requireRoom(folder, { freeBytes: await readFree(folder), neededBytes: estimatedBytes + floorBytes })
  } catch (error) {
    await handle.close()
    await rm(draft, { force: true })
    throw error
  }
  return {
    location,
    write: async (bytes) => {
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= flushBytes) await flush()
    },
    complete: async () => {
      await flush()
      await naming(folder, handle.sync())
      await handle.close()
    },
    read: async () => createReadStream(draft, { highWaterMark: flushBytes }),
    publish: async () => {
      await rename(draft, path)
      await syncFolder(folder)
    },
    discard: async () => {
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

async function prepare(folder: string, draft: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await open(draft, 'w', 0o600)
  } catch (error) {
    throw new BackupError(`Cannot write ${basename(draft)} into ${folder}: ${readErrorMessage(error)}.`)
  }
}

async function readFree(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function writeAll(handle: FileHandle, bytes: Buffer, folder: string): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await naming(folder, handle.write(bytes, done))).bytesWritten
}

/** Names the folder of a full disk. Some file systems notice only when they sync. */
async function naming<Result>(folder: string, writing: Promise<Result>): Promise<Result> {
  try {
    return await writing
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC') && !hasErrorCode(error, 'EDQUOT')) throw error
    throw new BackupError(`The disk of ${folder} is full. Nothing was kept; free space, or use another place.`)
  }
}

/** The new name is on the disk too. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Whether a path names a folder: one that exists, or one written with a slash at its end. */
export async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
