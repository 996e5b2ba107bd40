import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { type BlogPost, deleteBlogPost, setBlogPublication } from '#contract/blog-posts.ts'
import { call } from '#web/lib/api.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { toast } from '#web/ui/toast.tsx'
import { blogKey } from './posts-query.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { StateBadge } from './state-badge.tsx'
import type { PostDraft } from './use-post-draft.ts'

type Publication =
  | { readonly state: 'draft' | 'published' }
  | { readonly state: 'scheduled'; readonly publishAt: string }

/** Said after it was done. */
const done = {
  published: 'Post published. Lists show it within a minute.',
  scheduled: 'Post scheduled',
  draft: 'Post taken back into the drafts',
}

/** Who can read the post, and what changes it. */
export function PublishBar({ draft, onDeleted }: { draft: PostDraft; onDeleted: () => void }) {
  const { post } = draft
  const [isScheduling, setScheduling] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const publishing = usePublication(draft, () => setScheduling(false))
  const isPublished = post.state === 'published'
  const publish = (publication: Publication) => publishing.mutate(publication)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <StateBadge state={post.state} />
      {post.publishedAt !== null && (
        <time dateTime={post.publishedAt} className="text-muted text-sm">
          {formatMoment(post.publishedAt)}
        </time>
      )}
      {isPublished && (
        <a
          href={withBasePath(`/blog/${post.slug}`)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 rounded-sm text-accent-text text-sm underline-offset-4 hover:underline"
        >
          Open page
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <Button variant="ghost" onClick={() => setDeleting(true)}>
          Delete
        </Button>
        {post.state !== 'draft' && (
          <Button variant="secondary" loading={publishing.isPending} onClick={() => publish({ state: 'draft' })}>
            {isPublished ? 'Unpublish' : 'Cancel schedule'}
          </Button>
        )}
        {!isPublished && (
          <Button variant="secondary" onClick={() => setScheduling(true)}>
            {post.state === 'scheduled' ? 'Change time' : 'Schedule'}
          </Button>
        )}
        {isPublished ? (
          <Button disabled={!draft.isDirty} loading={draft.isSaving} onClick={() => void draft.save()}>
            Save changes
          </Button>
        ) : (
          <Button loading={publishing.isPending} onClick={() => publish({ state: 'published' })}>
            Publish now
          </Button>
        )}
      </div>
      {publishing.error && (
        <p role="alert" className="w-full text-base text-danger-text">
          {publishing.error.message}
          <RequestNote error={publishing.error} />
        </p>
      )}
      {isScheduling && (
        <ScheduleDialog
          publishAt={post.state === 'scheduled' ? post.publishedAt : null}
          isPending={publishing.isPending}
          error={publishing.error}
          onSchedule={(publishAt) => publish({ state: 'scheduled', publishAt })}
          onClose={() => setScheduling(false)}
        />
      )}
      <DeleteDialog post={post} open={isDeleting} onOpenChange={setDeleting} onDeleted={onDeleted} />
    </div>
  )
}

/** Publishes the post as it is written now. */
function usePublication(draft: PostDraft, onDone: () => void) {
  const publishing = useMutation({
    mutationFn: async (publication: Publication): Promise<BlogPost | undefined> => {
      const saved = await draft.save()
      if (!saved) return undefined
      return call(setBlogPublication, {
        params: { postId: draft.post.id },
        body: { version: saved.version, ...publication },
      })
    },
    networkMode: 'always',
    onSuccess: (changed, { state }) => {
      if (!changed) return
      draft.accept(changed)
      onDone()
      toast({
        title: done[state],
        tone: 'success',
        ...(state !== 'published' &&
          draft.post.state === 'published' && {
            action: { label: 'Undo', onPress: () => publishing.mutate({ state: 'published' }) },
          }),
      })
    },
  })
  return publishing
}

interface DeleteProps {
  post: BlogPost
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted: () => void
}

function DeleteDialog({ post, open, onOpenChange, onDeleted }: DeleteProps) {
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => call(deleteBlogPost, { params: { postId: post.id } }),
    networkMode: 'always',
    onSuccess: () => {
      onOpenChange(false)
      void queryClient.invalidateQueries({ queryKey: [...blogKey, 'posts'] })
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this post?"
      action="Delete post"
      isDangerous
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <p>
        {post.state === 'published' ? 'No one can read it any more. ' : ''}You find it under the status “Deleted”, and
        can restore it as a draft.
      </p>
    </ConfirmDialog>
  )
}
