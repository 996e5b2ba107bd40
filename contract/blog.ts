/** A post of the blog, as lists show it. */
export interface PostSummary {
  /** The last part of its address: `/blog/{slug}`. */
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  /** When it was published, in ISO 8601. */
  readonly publishedAt: string
  readonly readingMinutes: number
}

export interface Post extends PostSummary {
  /** Rendered from Markdown in which markup is text: safe to be put into a page. */
  readonly html: string
  /** The posts published before and after it; null: none. */
  readonly older: Pick<PostSummary, 'slug' | 'title'> | null
  readonly newer: Pick<PostSummary, 'slug' | 'title'> | null
}
