import { sql } from 'kysely'
import { v7 as uuidV7 } from 'uuid'
import type { BlogContent, BlogRevision } from '#contract/blog-posts.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

interface NewRevision {
  readonly postId: string
  readonly version: number
  readonly content: BlogContent
  readonly isAutosave: boolean
  readonly userId: string
}

/**
 * Keeps what was saved. An autosave takes the place of the same person's autosave before it, if that is younger than ten
 * minutes.
 *
 * @returns whether it took its place.
 */
export async function saveRevision(tx: SystemTx, revision: NewRevision): Promise<boolean> {
  const { postId, version, content, isAutosave, userId } = revision
  const { numAffectedRows } = await sql`
    delete from blog_post_revisions
    where ${isAutosave} and post_id = ${postId} and version = ${version - 1} and is_autosave and saved_by = ${userId}
      and saved_at > now() - interval '10 minutes'
  `.execute(tx)
  await sql`
    insert into blog_post_revisions (id, post_id, version, content, is_autosave, saved_by, saved_name)
    select ${uuidV7()}, ${postId}, ${version}, ${JSON.stringify(content)}::jsonb, ${isAutosave}, ${userId},
      (select coalesce(nullif(p.full_name, ''), p.email) from profiles p where p.user_id = ${userId})
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

interface RevisionRow
  extends RowAs<
    'blog_post_revisions',
    { id: 'id'; version: 'version'; isAutosave: 'is_autosave'; savedAt: 'saved_at'; savedBy: 'saved_name' }
  > {
  readonly title: string
  readonly characters: number
}

/** Revisions below a version, the latest first. */
export async function listRevisions(
  tx: SystemTx,
  postId: string,
  before: number | undefined,
  limit: number,
): Promise<BlogRevision[]> {
  const { rows } = await sql<RevisionRow>`
    select id, version, is_autosave as "isAutosave", saved_at as "savedAt", saved_name as "savedBy",
      content ->> 'title' as title, char_length(content ->> 'markdown') as characters
    from blog_post_revisions
    where post_id = ${postId} and ${before === undefined ? sql`true` : sql`version < ${before}`}
    order by version desc limit ${limit}
  `.execute(tx)
  return rows.map(({ savedAt, ...row }) => ({ ...row, savedAt: savedAt.toISOString() }))
}

export async function findRevision(tx: SystemTx, postId: string, id: string): Promise<BlogContent | undefined> {
  // What saveRevision has written.
  const { rows } = await sql<{ content: BlogContent }>`
    select content from blog_post_revisions where post_id = ${postId} and id = ${id}
  `.execute(tx)
  return rows[0]?.content
}
