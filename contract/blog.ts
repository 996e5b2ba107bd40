/** A post of the blog that anyone can read, as lists show it. */
export interface PostSummary {
  /** The last part of its address: `/blog/{slug}`. */
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  /** Empty: not named. */
  readonly authorName: string
  /** When it was published, in ISO 8601. */
  readonly publishedAt: string
  /** When it was changed last, in ISO 8601. */
  readonly updatedAt: string
  readonly readingMinutes: number
  /** Path of its picture; null: it has none. */
  readonly coverUrl: string | null
}

export interface Post extends PostSummary {
  /** Rendered from Markdown in which markup is text: safe to be put into a page. */
  readonly html: string
  /** For search engines. */
  readonly seoTitle: string
  readonly seoDescription: string
  /** The posts published before and after it; null: none. */
  readonly older: Pick<PostSummary, 'slug' | 'title'> | null
  readonly newer: Pick<PostSummary, 'slug' | 'title'> | null
}
