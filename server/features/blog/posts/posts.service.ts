import type { BlogContent, BlogFilters, BlogLine, BlogPost, BlogRevision } from '#contract/blog-posts.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import type { CsvDownload } from '#server/platform/events/csv-download.ts'
import { createDownloadableList } from '#server/platform/events/downloadable-list.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import { type PostPlace, readPostCursor, writePostCursor } from './post-cursor.ts'
import * as queries from './posts.queries.ts'
import { findRevision, listRevisions, saveRevision } from './revisions.queries.ts'

type Publication =
  | { readonly state: 'draft' | 'published' }
  | { readonly state: 'scheduled'; readonly publishAt: string }

interface Save {
  readonly version: number
  readonly content: BlogContent
  readonly isAutosave?: boolean
}

/** Posts, as superadmins write them. All but `list`, `export` and `create` throw ProductError `post_not_found`. */
export interface Posts {
  list(query: BlogFilters & { cursor?: string; limit?: number }): Promise<{
    items: BlogLine[]
    nextCursor: string | null
  }>
  export(filters: BlogFilters): Promise<CsvDownload>
  /** Sent again with the same id, it makes nothing twice. */
  create(userId: string, post: { id: string; title: string }): Promise<BlogPost>
  get(id: string): Promise<BlogPost>
  /**
   * Saves the next version. Content that is stored already is not saved again, so that a retry is safe.
   *
   * @throws ProductError `edit_conflict`, `post_slug_taken`, `validation_failed`; `post_published` for an autosave.
   */
  save(userId: string, id: string, save: Save): Promise<BlogPost>
  /** @throws ProductError `edit_conflict`, `validation_failed` for a time that is not in the future. */
  publish(userId: string, id: string, version: number, publication: Publication): Promise<BlogPost>
  delete(userId: string, id: string): Promise<void>
  restore(userId: string, id: string): Promise<BlogPost>
  listRevisions(id: string, before?: number): Promise<{ items: BlogRevision[]; nextBefore: number | null }>
  getRevision(id: string, revisionId: string): Promise<BlogContent>
  /** @throws ProductError as `save`. */
  restoreRevision(userId: string, id: string, revisionId: string, version: number): Promise<BlogPost>
}

const reason = 'the blog belongs to no organisation'
const pageSize = 50

/** The list of superadmins. */
const createPostList = (database: Database): Pick<Posts, 'list' | 'export'> =>
  createDownloadableList(database, {
    name: 'Blog posts',
    file: 'blog-posts',
    columns: ['id', 'title', 'slug', 'state', 'tags', 'author', 'published_at', 'created_at', 'updated_at'],
    pageSize,
    find: (filters: BlogFilters, { after, limit }: { after: PostPlace | undefined; limit: number }) =>
      database.asSystem(reason, (tx) => queries.listPosts(tx, filters, after, limit)),
    placeOf: ({ place }) => place,
    readCursor: readPostCursor,
    writeCursor: writePostCursor,
    toItem: ({ place: _, ...line }): BlogLine => line,
    toCells,
  })

/** @param onChange called after each change that readers of the blog may see. */
export function createPosts(database: Database, onChange: () => void): Posts {
  const change = async <T>(fn: (tx: SystemTx) => Promise<T>): Promise<T> => {
    const result = await database.asSystem(reason, fn).catch((error: { code?: string }) => {
      // Unique violation: of the columns that change here, only the slug must be unique.
      throw error.code === '23505' ? slugTaken() : error
    })
    onChange()
    return result
  }

  return {
    ...createPostList(database),

    create: (userId, { id, title: typed }) =>
      change(async (tx) => {
        const known = await queries.findPost(tx, id)
        if (known) return known
        const title = checkTitle(typed)
        const slug = await queries.findFreeSlug(tx, (await queries.writeSlug(tx, title)) ?? 'post', id)
        await queries.insertPost(tx, { id, title, slug, authorName: await queries.findName(tx, userId), userId })
        const post = await getPost(tx, id)
        await saveRevision(tx, { postId: id, version: 1, content: toContent(post), isAutosave: false, userId })
        await record(tx, 'blog_post.created', post)
        return post
      }),

    get: (id) => database.asSystem(reason, (tx) => getPost(tx, id)),

    save: (userId, id, save) => change((tx) => savePost(tx, userId, id, save)),

    publish: (userId, id, version, publication) => {
      const at = publication.state === 'scheduled' ? checkFuture(publication.publishAt) : null
      return change((tx) => publishPost(tx, userId, id, { version, at, state: publication.state }))
    },

    delete: (userId, id) =>
      change(async (tx) => {
        const post = await queries.lockPost(tx, id)
        if (!post) throw new ProductError('post_not_found')
        if (post.state === 'deleted') return
        if (post.state === 'published') await queries.saveRedirect(tx, post.slug, id)
        await queries.setDeleted(tx, id, true, userId)
        await record(tx, 'blog_post.deleted', post)
      }),

    restore: (userId, id) =>
      change(async (tx) => {
        const post = await queries.lockPost(tx, id)
        if (!post) throw new ProductError('post_not_found')
        if (post.state !== 'deleted') return post
        await queries.setDeleted(tx, id, false, userId)
        const restored = await getPost(tx, id)
        await record(tx, 'blog_post.restored', restored)
        return restored
      }),

    listRevisions: (id, before) =>
      database.asSystem(reason, async (tx) => {
        await getPost(tx, id)
        const rows = await listRevisions(tx, id, before, pageSize + 1)
        const items = rows.slice(0, pageSize)
        return { items, nextBefore: rows.length > pageSize ? (items.at(-1)?.version ?? null) : null }
      }),

    getRevision: (id, revisionId) => database.asSystem(reason, (tx) => getRevision(tx, id, revisionId)),

    restoreRevision: (userId, id, revisionId, version) =>
      change(async (tx) => savePost(tx, userId, id, { version, content: await getRevision(tx, id, revisionId) })),
  }
}

async function savePost(tx: SystemTx, userId: string, id: string, save: Save): Promise<BlogPost> {
  const { version, isAutosave = false } = save
  const post = await lockPost(tx, id)
  const content = await checkContent(tx, id, save.content)
  if (isSame(content, toContent(post))) return post
  if (post.version !== version) throw new ProductError('edit_conflict')
  if (isAutosave && post.state === 'published') throw new ProductError('post_published')
  if (post.state === 'published' && post.slug !== content.slug) await queries.saveRedirect(tx, post.slug, id)
  await queries.updatePost(tx, id, content, userId)
  const saved = await getPost(tx, id)
  const isRenewed = await saveRevision(tx, { postId: id, version: saved.version, content, isAutosave, userId })
  if (!isRenewed) await record(tx, 'blog_post.saved', saved)
  return saved
}

async function publishPost(
  tx: SystemTx,
  userId: string,
  id: string,
  { version, at, state }: { version: number; at: string | null; state: Publication['state'] },
): Promise<BlogPost> {
  const post = await lockPost(tx, id)
  if (post.version !== version) throw new ProductError('edit_conflict')
  if (post.state === 'published') await queries.saveRedirect(tx, post.slug, id)
  await queries.setPublication(tx, id, state === 'published' ? 'now' : at, userId)
  const changed = await getPost(tx, id)
  await record(tx, `blog_post.${state === 'draft' ? 'unpublished' : state}`, changed)
  return changed
}

async function getPost(tx: SystemTx, id: string): Promise<BlogPost> {
  const post = await queries.findPost(tx, id)
  if (!post) throw new ProductError('post_not_found')
  return post
}

/** Not one in the trash. */
async function lockPost(tx: SystemTx, id: string): Promise<BlogPost> {
  const post = await queries.lockPost(tx, id)
  if (!post || post.state === 'deleted') throw new ProductError('post_not_found')
  return post
}

async function getRevision(tx: SystemTx, id: string, revisionId: string): Promise<BlogContent> {
  const content = await findRevision(tx, id, revisionId)
  if (!content) throw new ProductError('post_not_found')
  return content
}

function record(tx: SystemTx, action: string, { id, title, slug, version, state, publishedAt }: BlogPost) {
  const after = { slug, version, state, publishedAt }
  return writeInstanceEntry(tx, { action, targetType: 'blog_post', targetId: id, targetName: title, after })
}

/** @throws ProductError `validation_failed`. */
async function checkContent(tx: SystemTx, id: string, sent: BlogContent): Promise<BlogContent> {
  const title = checkTitle(sent.title)
  const slug = await checkSlug(tx, id, title, sent.slug)
  const tags = sent.tags.map((tag) => tag.trim())
  const blank = tags.indexOf('')
  if (blank >= 0) throw invalid(`body.tags.${blank}`, 'must not be blank')
  if (sent.coverId !== null && !(await queries.hasPicture(tx, sent.coverId))) {
    throw invalid('body.coverId', 'must be the id of an uploaded picture')
  }
  const { summary, markdown, authorName, seoTitle, seoDescription, coverId } = sent
  return {
    ...{ title, slug, markdown, coverId },
    tags: [...new Set(tags)],
    summary: summary.trim(),
    authorName: authorName.trim(),
    seoTitle: seoTitle.trim(),
    seoDescription: seoDescription.trim(),
  }
}

async function checkSlug(tx: SystemTx, id: string, title: string, typed: string): Promise<string> {
  if (typed.trim() === '') return queries.findFreeSlug(tx, (await queries.writeSlug(tx, title)) ?? 'post', id)
  const slug = await queries.writeSlug(tx, typed)
  if (slug === undefined) throw invalid('body.slug', 'must contain a letter or digit')
  return slug
}

function checkTitle(typed: string): string {
  const title = typed.trim()
  if (title === '') throw invalid('body.title', 'must not be blank')
  return title
}

function checkFuture(time: string): string {
  const at = Date.parse(time)
  if (Number.isNaN(at) || at <= Date.now()) throw invalid('body.publishAt', 'must be a time in the future')
  return time
}

function slugTaken(): ProductError {
  const field = { path: 'body.slug', message: 'is already used by another post' }
  return new ProductError('post_slug_taken', { fields: [field] })
}

function toContent(post: BlogPost): BlogContent {
  const { title, slug, summary, markdown, tags, authorName, seoTitle, seoDescription, coverId } = post
  return { title, slug, summary, markdown, tags, authorName, seoTitle, seoDescription, coverId }
}

function isSame(one: BlogContent, other: BlogContent): boolean {
  const parts = ({ tags, ...rest }: BlogContent) => [...tags, ...Object.entries(rest).sort().flat()]
  return JSON.stringify(parts(one)) === JSON.stringify(parts(other))
}

function toCells({ id, title, slug, state, tags, authorName, publishedAt, createdAt, updatedAt }: BlogLine): Cell[] {
  return [id, title, slug, state, tags.join(' '), authorName, publishedAt, createdAt, updatedAt]
}
