import type { Post, PostSummary } from '#contract/blog.ts'
import type { Database } from '#server/platform/database/database.ts'
import { renderMarkdown } from '#server/platform/markdown/render-markdown.ts'
import { toPictureUrl } from '../pictures/picture-url.ts'
import { toMinutes } from './count-minutes.ts'
import { findNewSlug, findPublished, listPublished, type PublishedRow } from './published.queries.ts'
import { isDue } from './read-posts.ts'

/** A post that anyone can read. */
export interface ListedPost extends PostSummary {
  /** Stays the same when the slug changes. */
  readonly guid: string
}

/** The blog as anyone reads it. */
export interface BlogReader {
  /** Newest first. */
  list(): Promise<readonly ListedPost[]>
  /** A post, or the slug that it has now. */
  read(slug: string): Promise<Post | { readonly movedTo: string } | undefined>
  countBuiltIn(): Promise<number>
  /** Something was published, or changed: the next answer is read again. */
  forget(): void
}

const reason = 'published posts are for anyone'
/** Anyone may ask: most calls are answered from memory. Other processes see a new post after this time. */
const keptMs = 5_000
const slugShape = /^[a-z0-9]{1,80}(-[a-z0-9]{1,80}){0,80}$/

/** @param readBuiltIn posts of Earshot itself; a post of the instance with the same slug takes the place of one. */
export function createBlogReader(database: Database, readBuiltIn: () => Promise<readonly Post[]>): BlogReader {
  let known: { readonly posts: Promise<readonly ListedPost[]>; readonly until: number } | undefined
  let builtIn: Promise<readonly Post[]> | undefined

  async function getBuiltIn(): Promise<readonly Post[]> {
    builtIn ??= readBuiltIn()
    // A failure is not remembered.
    builtIn.catch(() => {
      builtIn = undefined
    })
    const now = new Date()
    return (await builtIn).filter((post) => isDue(post, now))
  }

  async function readList(): Promise<readonly ListedPost[]> {
    const rows = await database.asSystem(reason, listPublished)
    const own = rows.map(toOwn)
    const taken = new Set(own.map(({ slug }) => slug))
    const ours = (await getBuiltIn()).filter(({ slug }) => !taken.has(slug)).map(toListed)
    return [...own, ...ours].sort((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1))
  }

  function list(): Promise<readonly ListedPost[]> {
    const now = performance.now()
    if (known && now < known.until) return known.posts
    const posts = readList()
    known = { posts, until: now + keptMs }
    posts.catch(() => {
      known = undefined
    })
    return posts
  }

  /** What the list does not hold of a post. */
  async function readRest(slug: string): Promise<Pick<Post, 'html' | 'seoTitle' | 'seoDescription'> | undefined> {
    const own = await database.asSystem(reason, (tx) => findPublished(tx, slug))
    if (!own) return (await getBuiltIn()).find((each) => each.slug === slug)
    return {
      html: renderMarkdown(own.markdown).html,
      seoTitle: own.seoTitle || own.title,
      seoDescription: own.seoDescription || own.description,
    }
  }

  return {
    list,
    read: async (slug) => {
      if (!slugShape.test(slug)) return undefined
      const posts = await list()
      const index = posts.findIndex((each) => each.slug === slug)
      const post = posts[index]
      const rest = post && (await readRest(slug))
      if (!post || !rest) {
        const movedTo = await database.asSystem(reason, (tx) => findNewSlug(tx, slug))
        return movedTo === undefined || movedTo === slug ? undefined : { movedTo }
      }
      const { html, seoTitle, seoDescription } = rest
      const { guid: _, ...summary } = post
      return {
        ...summary,
        html,
        seoTitle,
        seoDescription,
        older: toLink(posts[index + 1]),
        newer: toLink(posts[index - 1]),
      }
    },
    countBuiltIn: async () => (await getBuiltIn()).length,
    forget: () => {
      known = undefined
    },
  }
}

function toOwn({ id, words, cover, publishedAt, updatedAt, ...row }: PublishedRow): ListedPost {
  return {
    ...row,
    guid: id,
    publishedAt: publishedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    readingMinutes: toMinutes(words),
    coverUrl: cover && toPictureUrl(cover),
  }
}

function toListed(post: Post): ListedPost {
  const { html: _h, seoTitle: _t, seoDescription: _d, older: _o, newer: _n, ...summary } = post
  return { ...summary, guid: post.slug }
}

function toLink(post: ListedPost | undefined) {
  return post ? { slug: post.slug, title: post.title } : null
}
