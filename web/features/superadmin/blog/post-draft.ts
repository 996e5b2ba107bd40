import type { BlogContent, BlogPost } from '#contract/blog-posts.ts'
import type { UnsentText } from '#web/lib/unsent-texts.ts'

/** A draft that is not saved, as the browser keeps it. */
export interface UnsavedPost extends UnsentText {
  readonly content: BlogContent
  /** The version that was edited. */
  readonly version: number
}

/** Fields of a post that are edited. */
export function toContent(post: BlogPost): BlogContent {
  const { title, slug, summary, markdown, tags, authorName, seoTitle, seoDescription, coverId } = post
  return { title, slug, summary, markdown, tags, authorName, seoTitle, seoDescription, coverId }
}

export function isSameContent(one: BlogContent, other: BlogContent): boolean {
  const list = (content: BlogContent) => JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))
  return list(one) === list(other)
}

/** Tags as one line. */
export const writeTags = (tags: readonly string[]): string => tags.join(', ')

export function readTags(line: string): string[] {
  return [...new Set(line.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}
