import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Refined, RowAs } from '#server/platform/database/row.ts'
import type { PictureName } from './picture-url.ts'

export interface StoredPicture
  extends PictureName,
    RowAs<'blog_pictures', { bytes: 'bytes'; storageKey: 'storage_key'; sha256: 'sha256' }> {
  readonly mime: Refined<'blog_pictures', 'mime', PictureName['mime']>
}

const columns = sql`id, mime, bytes, sha256, storage_key as "storageKey"`

export async function findPicture(tx: SystemTx, id: string): Promise<StoredPicture | undefined> {
  const { rows } = await sql<StoredPicture>`select ${columns} from blog_pictures where id = ${id}`.execute(tx)
  return rows[0]
}

export async function findByContent(tx: SystemTx, sha256: Buffer): Promise<StoredPicture | undefined> {
  const { rows } = await sql<StoredPicture>`select ${columns} from blog_pictures where sha256 = ${sha256}`.execute(tx)
  return rows[0]
}

/** @returns whether it is new: another request may have uploaded the same bytes meanwhile. */
export async function insertPicture(tx: SystemTx, picture: StoredPicture, userId: string): Promise<boolean> {
  const { id, mime, bytes, sha256, storageKey } = picture
  const { numAffectedRows } = await sql`
    insert into blog_pictures (id, mime, bytes, sha256, storage_key, created_by)
    values (${id}, ${mime}, ${bytes}, ${sha256}, ${storageKey}, ${userId})
    on conflict (sha256) do nothing
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}
