import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Present, RowAs } from '#server/platform/database/row.ts'
import type { PictureName } from '../pictures/picture-url.ts'

export interface PublishedRow
  extends RowAs<
      'blog_posts',
      {
        id: 'id'
        slug: 'slug'
        title: 'title'
        description: 'summary'
        tags: 'tags'
        authorName: 'author_name'
        updatedAt: 'updated_at'
      }
    >,
    // `isPublished` below.
    Present<RowAs<'blog_posts', { publishedAt: 'published_at' }>> {
  /** Of the Markdown. */
  readonly words: number
  readonly cover: PictureName | null
}

const isPublished = sql`p.published_at <= now() and p.deleted_at is null`

/** Posts that anyone can read, the latest first. */
export async function listPublished(tx: SystemTx): Promise<PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select p.id, p.slug, p.title, p.summary as description, p.tags, p.author_name as "authorName", p.published_at as "publishedAt",
      p.updated_at as "updatedAt", cardinality(regexp_split_to_array(btrim(p.markdown), '\\s+')) as words,
      (select jsonb_build_object('id', c.id, 'mime', c.mime) from blog_pictures c where c.id = p.cover_id) as cover
    from blog_posts p where ${isPublished}
    order by p.published_at desc, p.id desc
  `.execute(tx)
  return rows
}

type BodyRow = RowAs<
  'blog_posts',
  {
    title: 'title'
    description: 'summary'
    markdown: 'markdown'
    seoTitle: 'seo_title'
    seoDescription: 'seo_description'
  }
>

export async function findPublished(tx: SystemTx, slug: string): Promise<BodyRow | undefined> {
  const { rows } = await sql<BodyRow>`
    select p.title, p.summary as description, p.markdown, p.seo_title as "seoTitle",
      p.seo_description as "seoDescription"
    from blog_posts p where p.slug = ${slug} and ${isPublished}
  `.execute(tx)
  return rows[0]
}

/** The slug that a post has now which anyone can read and which had this one before. */
export async function findNewSlug(tx: SystemTx, formerSlug: string): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string }>`
    select p.slug from blog_redirects r join blog_posts p on p.id = r.post_id
    where r.slug = ${formerSlug} and ${isPublished}
  `.execute(tx)
  return rows[0]?.slug
}
