import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { previewBlogPost } from '#contract/blog-posts.ts'
import { call } from '#web/lib/api.ts'
import { Prose } from '#web/ui/prose.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { blogKey } from './posts-query.ts'

/** After the last key. */
const pauseMs = 300

/** The post as readers will see it, rendered by the server as its page is. */
export function PostPreview({ title, markdown }: { title: string; markdown: string }) {
  const [shown, setShown] = useState(markdown)
  useEffect(() => {
    const timer = setTimeout(() => setShown(markdown), pauseMs)
    return () => clearTimeout(timer)
  }, [markdown])
  const { data, error } = useQuery({
    queryKey: [...blogKey, 'preview', shown],
    queryFn: ({ signal }) => call(previewBlogPost, { body: { markdown: shown }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    networkMode: 'always',
  })
  return (
    <section aria-label="Preview" className="rounded-lg border border-border bg-surface px-5 py-6">
      {error && (
        <p role="alert" className="mb-4 text-danger-text text-sm">
          {error.message}
          <RequestNote error={error} />
        </p>
      )}
      <p className="text-muted text-sm">{data ? `${data.readingMinutes} min read` : ' '}</p>
      <h2 className="mb-6 font-semibold text-3xl [overflow-wrap:anywhere]">{title}</h2>
      {data?.html === '' ? (
        <p className="text-base text-muted">Write something to see it here.</p>
      ) : (
        <Prose html={data?.html ?? ''} />
      )}
    </section>
  )
}
