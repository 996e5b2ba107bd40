import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type BlogPost, restoreBlogPost } from '#contract/blog-posts.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** A post in the trash. */
export function DeletedPost({ post, onRestored }: { post: BlogPost; onRestored: () => void }) {
  const restoring = useMutation({
    mutationFn: () => call(restoreBlogPost, { params: { postId: post.id } }),
    networkMode: 'always',
    onSuccess: onRestored,
  })
  return (
    <EmptyState
      icon={<Trash2 />}
      title="This post is deleted"
      action={
        <Button loading={restoring.isPending} onClick={() => restoring.mutate()}>
          Restore as a draft
        </Button>
      }
    >
      <bdi>{post.title}</bdi>
      {restoring.error && <span role="alert"> {restoring.error.message}</span>}
    </EmptyState>
  )
}
