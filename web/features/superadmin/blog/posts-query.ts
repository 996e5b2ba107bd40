import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type BlogFilters,
  type BlogState,
  getBlogPost,
  getBlogRevision,
  listBlogPosts,
  listBlogRevisions,
} from '#contract/blog-posts.ts'
import { call } from '#web/lib/api.ts'

export interface PostSearch {
  readonly search: string
  /** Empty: all but deleted ones. */
  readonly state: BlogState | ''
  readonly isOldestFirst: boolean
}

export function toFilters({ search, state, isOldestFirst }: PostSearch): BlogFilters {
  return {
    ...(search !== '' && { search }),
    ...(state !== '' && { state }),
    ...(isOldestFirst && { order: 'oldest' }),
  }
}

/** Queries of this area begin so. */
export const blogKey = ['superadmin', 'blog']

/** Posts that match, page by page. */
export function postsQuery(search: PostSearch) {
  const query = toFilters(search)
  return infiniteQueryOptions({
    queryKey: [...blogKey, 'posts', query],
    queryFn: ({ pageParam, signal }) =>
      call(listBlogPosts, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** A post to be edited. It is not read again while it is: the editor keeps what it has saved. */
export function postQuery(postId: string) {
  return queryOptions({
    queryKey: [...blogKey, 'post', postId],
    queryFn: ({ signal }) => call(getBlogPost, { params: { postId }, signal }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
    networkMode: 'always',
  })
}

export function revisionsQuery(postId: string) {
  return infiniteQueryOptions({
    queryKey: [...blogKey, 'revisions', postId],
    queryFn: ({ pageParam, signal }) =>
      call(listBlogRevisions, {
        params: { postId },
        query: { ...(pageParam !== undefined && { before: pageParam }) },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

export function revisionQuery(postId: string, revisionId: string) {
  return queryOptions({
    queryKey: [...blogKey, 'revision', postId, revisionId],
    queryFn: ({ signal }) => call(getBlogRevision, { params: { postId, revisionId }, signal }),
    // A saved version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}
