import { constants, createReadStream } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasErrorCode } from '../read-error.ts'
import { derivatives, derivedKey, FileMissingError, type Storage } from './storage.ts'

const keyShape = /^[0-9a-f-]{36}\/[0-9a-f-]{36}(\.mp4|\.webm|\.jpg)?$/

/** Files in a local folder, or in one shared by several machines. */
export function createDiskStorage(folder: string): Storage {
  const pathOf = (key: string) => {
    if (!keyShape.test(key)) throw new Error(`${key} is not a file key`)
    return join(folder, key)
  }
  const read: Storage['read'] = async (key, range) => {
    const file = await open(pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new FileMissingError(key) : error
    })
    return createReadStream('', { fd: file, ...(range && { start: range.start, end: range.end }) })
  }

  return {
    append: async (key, source, offset) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      let position = offset
      try {
        for await (const chunk of source) {
          await writeAll(file, chunk, position)
          position += chunk.length
        }
      } finally {
        // Synced first: a caller may drop the bytes once they are acknowledged.
        await file.datasync()
        await file.close()
      }
      return position
    },

    received: async (key) => (await statOrNothing(pathOf(key)))?.size ?? 0,

    readReceived: (key) => read(key),

    finish: async () => {},

    write: (key, source, bytes) => replaceFile(pathOf(key), (draft) => writeStream(draft, source, bytes)),

    put: (key, path) =>
      replaceFile(pathOf(key), async (draft) => {
        await copyFile(path, draft)
        const handle = await open(draft, 'r+')
        await handle.sync().finally(() => handle.close())
      }),

    read,

    stat: async (key) => {
      const found = await statOrNothing(pathOf(key))
      return found && { bytes: found.size }
    },

    remove: async (key) => {
      for (const each of [...derivatives.map((derivative) => derivedKey(key, derivative)), key]) {
        await rm(pathOf(each), { force: true })
        await rm(draftOf(pathOf(each)), { force: true })
      }
    },

    list: () => listFiles(folder),

    withLocalFile: async (key, use) => {
      const path = pathOf(key)
      if (!(await statOrNothing(path))) throw new FileMissingError(key)
      return use(path)
    },
  }
}

/** The temporary path of a file: always the same, so that crashes don't accumulate drafts. */
function draftOf(path: string): string {
  return `${path}.draft`
}

/** Gives a file its name once it is whole: `fill` writes it under a temporary one, and syncs it. */
async function replaceFile(target: string, fill: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = draftOf(target)
  try {
    await fill(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** @throws when the stream has not exactly so many bytes. */
async function writeStream(path: string, source: AsyncIterable<Uint8Array>, bytes: number): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    let position = 0
    for await (const chunk of source) {
      await writeAll(handle, chunk, position)
      position += chunk.length
    }
    if (position !== bytes) throw new Error(`the stream of a file ended at ${position} of ${bytes} bytes`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten
  }
}

async function* listFiles(folder: string): AsyncIterable<{ key: string; changedAt: Date }> {
  for await (const owner of await openFolder(folder)) {
    if (!owner.isDirectory()) continue
    const seen = new Set<string>()
    for await (const file of await openFolder(join(folder, owner.name))) {
      // A draft or derivative without its file counts as that file: removing it removes them all.
      const key = `${owner.name}/${file.name.split('.')[0]}`
      if (seen.has(key) || !keyShape.test(key)) continue
      seen.add(key)
      const found = await statOrNothing(join(folder, owner.name, file.name))
      if (found) yield { key, changedAt: found.mtime }
    }
  }
}

async function openFolder(path: string) {
  try {
    return await opendir(path)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}

async function statOrNothing(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
