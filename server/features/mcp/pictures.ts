import { buffer } from 'node:stream/consumers'
import { listStoredFiles, type StoredFile } from '#server/features/files/files.service.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { FileMissingError, type Storage } from '#server/platform/storage/storage.ts'
import type { ToolPicture } from './tool.ts'

/** Pictures of items for agents. */
export interface Pictures {
  /** In the order in which the visitor added them; those that are too large are left out. */
  read(actor: Actor, organizationId: string, feedbackId: string): Promise<ToolPicture[]>
}

/** What models take. */
const shownTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const maxPictures = 4
/** Of one picture. In base64 that is 2 MB, of the 5 MB that models take. */
const maxBytes = 1_500_000
const maxBytesInAll = 3_000_000

export function createPictures(database: Database, storage: Storage): Pictures {
  return {
    read: async (actor, organizationId, feedbackId) => {
      const files = await database.withTenant(actor, (tx) => listStoredFiles(tx, organizationId, [feedbackId]))
      const pictures: ToolPicture[] = []
      for (const { storageKey, mime } of chooseFiles(files.get(feedbackId) ?? [])) {
        const bytes = await readFile(storage, storageKey)
        if (bytes) pictures.push({ mime, data: bytes.toString('base64') })
      }
      return pictures
    },
  }
}

function chooseFiles(files: readonly StoredFile[]): { storageKey: string; mime: string }[] {
  const chosen: { storageKey: string; mime: string }[] = []
  let sum = 0
  for (const { storageKey, mime, bytes } of files) {
    if (storageKey === null || mime === null || bytes === null || !shownTypes.includes(mime)) continue
    if (chosen.length === maxPictures || bytes > maxBytes || sum + bytes > maxBytesInAll) continue
    sum += bytes
    chosen.push({ storageKey, mime })
  }
  return chosen
}

/** Undefined: deleted meanwhile. */
async function readFile(storage: Storage, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await storage.read(key))
  } catch (error) {
    if (error instanceof FileMissingError) return undefined
    throw error
  }
}
