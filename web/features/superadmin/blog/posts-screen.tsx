import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Newspaper, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type BlogLine, blogStates, exportBlogPosts, type listBlogPosts } from '#contract/blog-posts.ts'
import type { ReplyOf } from '#contract/route.ts'
import { send } from '#web/lib/api.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { TimeOrder } from '#web/ui/time-order.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { NewPostDialog } from './new-post-dialog.tsx'
import { type PostSearch, postsQuery, toFilters } from './posts-query.ts'
import { StateBadge, stateLabels } from './state-badge.tsx'

/** Posts of the blog. The filters stand in the address. */
export function PostsScreen() {
  const [params, setParams] = useSearchParams()
  const wanted: PostSearch = {
    search: params.get('search') ?? '',
    state: blogStates.find((each) => each === params.get('state')) ?? '',
    isOldestFirst: params.get('order') === 'oldest',
  }
  const { search, state, isOldestFirst } = wanted
  const change = (next: Partial<PostSearch>) =>
    // The address has the names of the API.
    setParams({ ...toFilters({ ...wanted, ...next }) }, { preventScrollReset: true, replace: true })
  const list = useInfiniteQuery(postsQuery(wanted))
  const builtIn = list.data?.pages[0]?.builtInPosts ?? 0
  const [isNew, setNew] = useState(false)
  const add = (
    <Button onClick={() => setNew(true)}>
      <Plus aria-hidden="true" />
      New post
    </Button>
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-base text-muted">Anyone reads published posts. Superadmins alone see drafts.</p>
        {add}
      </div>
      <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search posts"
          placeholder="Title, summary or slug"
          value={search}
          onChange={(words) => change({ search: words })}
        />
        <Select
          aria-label="Status"
          className="w-auto min-w-36 flex-1 sm:flex-none"
          value={state}
          onChange={({ currentTarget: { value } }) =>
            change({ state: blogStates.find((each) => each === value) ?? '' })
          }
        >
          <option value="">All but deleted</option>
          {blogStates.map((each) => (
            <option key={each} value={each}>
              {stateLabels[each]}
            </option>
          ))}
        </Select>
        <TimeOrder isOldestFirst={isOldestFirst} onChange={(oldest) => change({ isOldestFirst: oldest })} />
        <CsvExport
          request={() => send(exportBlogPosts, { body: toFilters(wanted) }, '*/*')}
          failure="Couldn’t export the posts"
        />
      </search>
      <PostList
        list={list}
        isFiltered={search !== '' || state !== ''}
        onClear={() => change({ search: '', state: '' })}
      />
      {builtIn > 0 && (
        <p className="mt-4 text-muted text-sm">
          The blog also shows {builtIn === 1 ? 'one post' : `${builtIn} posts`} of Earshot itself. The setting
          BLOG_BUILT_IN_POSTS hides them; a post of yours with the same slug replaces one.
        </p>
      )}
      {isNew && <NewPostDialog onClose={() => setNew(false)} />}
    </>
  )
}

interface PostListProps {
  list: UseInfiniteQueryResult<InfiniteData<ReplyOf<typeof listBlogPosts>>>
  isFiltered: boolean
  onClear: () => void
}

function PostList({ list, isFiltered, onClear }: PostListProps) {
  const posts = list.data?.pages.flatMap(({ items }) => items)
  if (posts === undefined) {
    return list.error ? (
      <LoadFailure title="Couldn’t load posts" error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <ListSkeleton label="Loading posts" />
    )
  }
  if (posts.length === 0) {
    return isFiltered ? (
      <EmptyState
        icon={<SearchX />}
        title="No results"
        action={
          <Button variant="secondary" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No post matches these filters.
      </EmptyState>
    ) : (
      <EmptyState icon={<Newspaper />} title="No posts yet">
        A draft is seen by superadmins only, until you publish it.
      </EmptyState>
    )
  }
  return (
    <>
      <ul
        aria-label="Posts"
        aria-busy={list.isPlaceholderData}
        className="mt-4 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
      >
        {posts.map((post) => (
          <li key={post.id}>
            <PostRow post={post} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} className="mt-4 self-center" />
    </>
  )
}

/** A post in the list: the whole row leads to its editor. */
function PostRow({ post: { id, title, slug, state, publishedAt, updatedAt, authorName } }: { post: BlogLine }) {
  return (
    <Link
      to={`/dashboard/superadmin/blog/${id}`}
      className="grid gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover focus-visible:outline-offset-[-2px] sm:grid-cols-[minmax(0,1fr)_minmax(0,12rem)_7rem] sm:items-center"
    >
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{title}</bdi>
        <span className="block truncate text-muted text-sm">
          /blog/{slug}
          {authorName !== '' && ` · ${authorName}`}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <StateBadge state={state} />
        {publishedAt !== null && state !== 'deleted' && (
          <time dateTime={publishedAt} className="text-muted">
            {formatMoment(publishedAt)}
          </time>
        )}
      </span>
      <RelativeTime iso={updatedAt} className="text-muted text-sm sm:text-right" />
    </Link>
  )
}
