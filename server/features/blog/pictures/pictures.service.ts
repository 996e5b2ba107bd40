import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { v7 as uuidV7 } from 'uuid'
import type { Database } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { type PictureName, toPictureUrl } from './picture-url.ts'
import { findByContent, findPicture, insertPicture, type StoredPicture } from './pictures.queries.ts'
import { sniffPicture } from './sniff-picture.ts'

export interface Pictures {
  /** The same bytes are the same picture. @throws ProductError `validation_failed`. */
  upload(userId: string, bytes: Buffer): Promise<PictureName>
  find(id: string): Promise<StoredPicture | undefined>
}

const reason = 'pictures of the blog belong to no organisation'
/** Stands for the organisation in the keys of the storage. */
const instanceFolder = '00000000-0000-0000-0000-000000000000'

export function createPictures(database: Database, storage: Storage): Pictures {
  return {
    upload: async (userId, bytes) => {
      const mime = sniffPicture(bytes)
      if (mime === undefined) throw invalid('body', 'must be a PNG, JPEG, WebP, AVIF or GIF picture')
      const sha256 = createHash('sha256').update(bytes).digest()
      const known = await database.asSystem(reason, (tx) => findByContent(tx, sha256))
      if (known) return known
      const id = uuidV7()
      // Before the row: a row without bytes would be a broken picture, bytes without a row are swept.
      const storageKey = `${instanceFolder}/${id}`
      await storage.append(storageKey, Readable.from([bytes]), 0)
      await storage.finish(storageKey)
      const picture = { id, mime, bytes: bytes.length, sha256, storageKey }
      const stored = await database.asSystem(reason, async (tx) => {
        if (!(await insertPicture(tx, picture, userId))) return findByContent(tx, sha256)
        const targetName = toPictureUrl(picture)
        const after = { bytes: bytes.length }
        await writeInstanceEntry(tx, { action: 'blog_picture.uploaded', targetType: 'blog_picture', targetName, after })
        return picture
      })
      if (stored?.id !== id) await storage.remove(storageKey)
      return stored ?? picture
    },
    find: (id) => database.asSystem(reason, (tx) => findPicture(tx, id)),
  }
}
