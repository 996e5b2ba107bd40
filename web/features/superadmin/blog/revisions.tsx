import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { diffLines } from 'diff'
import { useMemo, useState } from 'react'
import { type BlogContent, type BlogRevision, restoreBlogRevision } from '#contract/blog-posts.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { revisionQuery, revisionsQuery } from './posts-query.ts'
import type { PostDraft } from './use-post-draft.ts'

/** Saved versions of a post, each beside the text as it is now. */
export function PostRevisions({ draft, onRestored }: { draft: PostDraft; onRestored: () => void }) {
  const list = useInfiniteQuery(revisionsQuery(draft.post.id))
  const revisions = list.data?.pages.flatMap(({ items }) => items)
  const [chosenId, setChosenId] = useState<string>()
  const chosen = revisions?.find(({ id }) => id === chosenId) ?? revisions?.[0]
  if (revisions === undefined) {
    return list.error ? (
      <LoadFailure title="Couldn’t load the versions" error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <ListSkeleton label="Loading versions" />
    )
  }
  return (
    <div className="grid items-start gap-4 @3xl:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex flex-col">
        <ul
          aria-label="Versions"
          className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface"
        >
          {revisions.map((revision) => (
            <li key={revision.id}>
              <button
                type="button"
                aria-current={revision.id === chosen?.id || undefined}
                className="flex w-full flex-col px-3 py-2 text-left hover:bg-hover focus-visible:outline-offset-[-2px] aria-[current]:bg-accent-soft"
                onClick={() => setChosenId(revision.id)}
              >
                <RelativeTime iso={revision.savedAt} className="text-base" />
                <span className="text-muted text-sm">{wordRevision(revision)}</span>
              </button>
            </li>
          ))}
        </ul>
        <MoreButton list={list} className="mt-3 self-center" />
      </div>
      {chosen && <Comparison draft={draft} revision={chosen} onRestored={onRestored} />}
    </div>
  )
}

function wordRevision({ savedBy, isAutosave, characters }: BlogRevision): string {
  return `${savedBy ?? 'A deleted account'}, ${isAutosave ? 'autosaved' : 'saved'}, ${characters} characters`
}

interface ComparisonProps {
  draft: PostDraft
  revision: BlogRevision
  onRestored: () => void
}

function Comparison({ draft, revision, onRestored }: ComparisonProps) {
  const { data, error, refetch } = useQuery(revisionQuery(draft.post.id, revision.id))
  const restoring = useMutation({
    mutationFn: async () => {
      // Texts that are not saved become a version of their own.
      const saved = await draft.save()
      if (!saved) throw new Error('Your changes could not be saved, so the version was not restored.')
      return call(restoreBlogRevision, {
        params: { postId: draft.post.id, revisionId: revision.id },
        body: { version: saved.version },
      })
    },
    networkMode: 'always',
    onSuccess: (post) => {
      draft.accept(post)
      toast({ title: 'Version restored', tone: 'success' })
      onRestored()
    },
  })
  if (!data) {
    return error ? (
      <LoadFailure title="Couldn’t load this version" error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-64" />
    )
  }
  return (
    <section aria-label="Differences" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm">From this version to the text as it is now</p>
        <Button variant="secondary" size="sm" loading={restoring.isPending} onClick={() => restoring.mutate()}>
          Restore this version
        </Button>
      </div>
      {restoring.error && (
        <p role="alert" className="text-base text-danger-text">
          {restoring.error.message}
          <RequestNote error={restoring.error} />
        </p>
      )}
      <Differences before={data} after={draft.content} />
    </section>
  )
}

/** Beyond this, lines are compared for so long that the screen would stand still. */
const maxEditLength = 5_000

function Differences({ before, after }: { before: BlogContent; after: BlogContent }) {
  const parts = useMemo(() => diffLines(writeWhole(before), writeWhole(after), { maxEditLength }), [before, after])
  if (!parts) return <p className="text-base text-muted">Too different to be compared line by line.</p>
  if (parts.every(({ added, removed }) => !added && !removed)) {
    return <p className="text-base text-muted">The same as now.</p>
  }
  let position = 0
  return (
    <pre className="overflow-x-auto whitespace-pre-wrap rounded-lg border border-border bg-surface p-3 font-mono text-sm leading-6 [overflow-wrap:anywhere]">
      {parts.map(({ value, added, removed }) => {
        position += value.length
        const Tag = added ? 'ins' : removed ? 'del' : 'span'
        return (
          <Tag
            key={`${position} ${added} ${removed}`}
            className={cn(added && 'bg-success-soft text-success-text', removed && 'bg-danger-soft text-danger-text')}
          >
            {value}
          </Tag>
        )
      })}
    </pre>
  )
}

/** Everything of a post as lines. */
function writeWhole({
  title,
  slug,
  summary,
  tags,
  authorName,
  seoTitle,
  seoDescription,
  markdown,
}: BlogContent): string {
  const fields = { Title: title, Slug: slug, Summary: summary, Tags: tags.join(', '), Author: authorName }
  const search = { 'Title for search engines': seoTitle, 'Description for search engines': seoDescription }
  const lines = Object.entries({ ...fields, ...search }).filter(([, value]) => value !== '')
  return `${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${markdown}\n`
}
