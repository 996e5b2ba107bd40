import { useQuery } from '@tanstack/react-query'
import { BackLink } from '#web/ui/back-link.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DeletedPost } from './deleted-post.tsx'
import { PostEditor } from './post-editor.tsx'
import { postQuery } from './posts-query.ts'

/** One post, to be written. */
export function PostScreen({ id }: { id: string }) {
  const { data: post, error, refetch } = useQuery(postQuery(id))
  return (
    <div className="flex flex-1 flex-col gap-4">
      <BackLink to="/dashboard/superadmin/blog">Blog</BackLink>
      {post ? (
        post.state === 'deleted' ? (
          <DeletedPost post={post} onRestored={() => void refetch()} />
        ) : (
          <PostEditor key={post.id} opened={post} onDeleted={() => void refetch()} />
        )
      ) : error ? (
        <LoadFailure title="Couldn’t load this post" error={error} onRetry={() => void refetch()} />
      ) : (
        <output className="flex flex-col gap-4">
          <span className="sr-only">Loading the post</span>
          <Skeleton className="h-9 w-80 max-w-full" />
          <Skeleton className="h-96" />
        </output>
      )}
    </div>
  )
}
