import type { PostSummary } from '#contract/blog.ts'
import { locale } from '#web/lib/locale.ts'

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** When a post was published, by whom, how long it takes to read, and what it is about. */
export function PostLine({ post: { publishedAt, readingMinutes, authorName, tags } }: { post: PostSummary }) {
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-sm">
      <time dateTime={publishedAt}>{day.format(new Date(publishedAt))}</time>
      {authorName !== '' && <span>{authorName}</span>}
      <span>{readingMinutes} min read</span>
      {tags.length > 0 && <span>{tags.join(', ')}</span>}
    </p>
  )
}
