import { type RawBuilder, sql } from 'kysely'
import type { BlogContent, BlogFilters, BlogLine, BlogPost, BlogState } from '#contract/blog-posts.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import { type PictureName, toPictureUrl } from '../pictures/picture-url.ts'
import type { PostPlace } from './post-cursor.ts'

const state = sql`
  case when p.deleted_at is not null then 'deleted' when p.published_at is null then 'draft'
    when p.published_at > now() then 'scheduled' else 'published' end
`

const lineColumns = sql`
  p.id, ${state} as state, p.version, p.published_at as "publishedAt", p.created_at as "createdAt",
  p.updated_at as "updatedAt", p.title, p.slug, p.tags, p.author_name as "authorName"
`

interface LineRow
  extends RowAs<
    'blog_posts',
    {
      id: 'id'
      version: 'version'
      publishedAt: 'published_at'
      createdAt: 'created_at'
      updatedAt: 'updated_at'
      title: 'title'
      slug: 'slug'
      tags: 'tags'
      authorName: 'author_name'
    }
  > {
  readonly state: BlogState
}

interface PostRow
  extends LineRow,
    RowAs<
      'blog_posts',
      {
        summary: 'summary'
        markdown: 'markdown'
        seoTitle: 'seo_title'
        seoDescription: 'seo_description'
        coverId: 'cover_id'
      }
    > {
  readonly cover: PictureName | null
}

interface ListedRow extends LineRow {
  /** When it was changed, with microseconds, for the cursor. */
  readonly changedAt: string
}

/** Posts that match, the latest change first. */
export async function listPosts(
  tx: SystemTx,
  { search: typed = '', state: wanted, order }: BlogFilters,
  after: PostPlace | undefined,
  limit: number,
): Promise<(BlogLine & { place: PostPlace })[]> {
  const search = typed.trim().toLowerCase()
  const [beyond, direction] = order === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const { rows } = await sql<ListedRow>`
    select ${lineColumns}, to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "changedAt"
    from blog_posts p
    where (${search} = '' or strpos(lower(p.title), ${search}) > 0 or strpos(lower(p.summary), ${search}) > 0
        or strpos(p.slug, ${search}) > 0)
      and ${wanted === undefined ? sql`p.deleted_at is null` : sql`(${state}) = ${wanted}`}
      and ${after ? sql`(p.updated_at, p.id) ${beyond} (${after.changedAt}::timestamptz, ${after.id}::uuid)` : sql`true`}
    order by p.updated_at ${direction}, p.id ${direction} limit ${limit}
  `.execute(tx)
  return rows.map(({ changedAt, ...row }) => ({ ...toLine(row), place: { changedAt, id: row.id } }))
}

export async function findPost(tx: SystemTx, id: string): Promise<BlogPost | undefined> {
  return readPost(tx, id, sql``)
}

/** The post, which no one else can change until the transaction ends. */
export async function lockPost(tx: SystemTx, id: string): Promise<BlogPost | undefined> {
  return readPost(tx, id, sql`for update of p`)
}

async function readPost(tx: SystemTx, id: string, lock: RawBuilder<unknown>): Promise<BlogPost | undefined> {
  const { rows } = await sql<PostRow>`
    select ${lineColumns}, p.summary, p.markdown, p.seo_title as "seoTitle", p.seo_description as "seoDescription",
      p.cover_id as "coverId",
      (select jsonb_build_object('id', c.id, 'mime', c.mime) from blog_pictures c where c.id = p.cover_id) as cover
    from blog_posts p where p.id = ${id} ${lock}
  `.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  const { cover, ...post } = row
  return { ...post, ...toLine(post), coverUrl: cover && toPictureUrl(cover) }
}

/** Nothing where a post has the id. */
export async function insertPost(
  tx: SystemTx,
  post: { id: string; title: string; slug: string; authorName: string; userId: string },
): Promise<void> {
  await sql`
    insert into blog_posts (id, title, slug, author_name, updated_by)
    values (${post.id}, ${post.title}, ${post.slug}, ${post.authorName}, ${post.userId})
    on conflict (id) do nothing
  `.execute(tx)
}

/** Writes the next version. */
export async function updatePost(tx: SystemTx, id: string, content: BlogContent, userId: string): Promise<void> {
  await sql`
    update blog_posts set title = ${content.title}, slug = ${content.slug}, summary = ${content.summary},
      markdown = ${content.markdown}, tags = ${content.tags}, author_name = ${content.authorName},
      seo_title = ${content.seoTitle}, seo_description = ${content.seoDescription}, cover_id = ${content.coverId},
      version = version + 1, updated_at = now(), updated_by = ${userId}
    where id = ${id}
  `.execute(tx)
}

/** @param publishAt null: a draft. `now`: published, unless it is already. */
export async function setPublication(
  tx: SystemTx,
  id: string,
  publishAt: string | 'now' | null,
  userId: string,
): Promise<void> {
  const at = publishAt === 'now' ? sql`least(published_at, now())` : sql`${publishAt}::timestamptz`
  await sql`
    update blog_posts set published_at = ${at}, version = version + 1, updated_at = now(), updated_by = ${userId}
    where id = ${id}
  `.execute(tx)
}

/** Moves it to the trash, or out of it as a draft. */
export async function setDeleted(tx: SystemTx, id: string, isDeleted: boolean, userId: string): Promise<void> {
  const change = isDeleted ? sql`deleted_at = now()` : sql`deleted_at = null, published_at = null`
  await sql`
    update blog_posts set ${change}, version = version + 1, updated_at = now(), updated_by = ${userId}
    where id = ${id}
  `.execute(tx)
}

/** From now on, the slug leads to the post. */
export async function saveRedirect(tx: SystemTx, slug: string, postId: string): Promise<void> {
  await sql`
    insert into blog_redirects (slug, post_id) values (${slug}, ${postId})
    on conflict (slug) do update set post_id = excluded.post_id, created_at = now()
  `.execute(tx)
}

/** The text as a slug; undefined when nothing is left of it. */
export async function writeSlug(tx: SystemTx, text: string): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string | null }>`select app.write_slug(${text}) as slug`.execute(tx)
  return rows[0]?.slug ?? undefined
}

/** The slug, or the first of `slug-2`, `slug-3` … that no other post has. */
export async function findFreeSlug(tx: SystemTx, slug: string, postId: string): Promise<string> {
  const { rows } = await sql<{ slug: string }>`
    select s.slug from (
      select case when n = 1 then ${slug}::text else ${slug}::text || '-' || n end as slug, n
      from generate_series(1, 1 + (select count(*)::int from blog_posts)) n) s
    where not exists (select from blog_posts p where p.slug = s.slug and p.id <> ${postId})
    order by s.n limit 1
  `.execute(tx)
  return rows[0]?.slug ?? slug
}

export async function hasPicture(tx: SystemTx, id: string): Promise<boolean> {
  const { rows } = await sql`select from blog_pictures where id = ${id}`.execute(tx)
  return rows.length > 0
}

/** The name of a person for what they write; empty: they have none. */
export async function findName(tx: SystemTx, userId: string): Promise<string> {
  const { rows } = await sql<RowAs<'profiles', { name: 'full_name' }>>`
    select full_name as name from profiles where user_id = ${userId}
  `.execute(tx)
  return rows[0]?.name ?? ''
}

function toLine(row: LineRow): BlogLine {
  const { id, state: named, version, title, slug, tags, authorName } = row
  return {
    id,
    state: named,
    version,
    title,
    slug,
    tags,
    authorName,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
