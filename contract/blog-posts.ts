import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, lines, Timestamp, Uuid } from './text.ts'

/** `scheduled`: published by itself at its time. `deleted`: in the trash. */
export const blogStates = ['draft', 'scheduled', 'published', 'deleted'] as const
export type BlogState = (typeof blogStates)[number]

export const blogPictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'] as const
export type BlogPictureType = (typeof blogPictureTypes)[number]
/** The largest picture of a post, in bytes. */
export const maxBlogPictureBytes = 4 * 1024 * 1024
export const maxBlogTags = 10
const maxMarkdown = 200_000
const closed = { additionalProperties: false } as const

const Markdown = lines({ maxLength: maxMarkdown })

/** What superadmins write. */
export const BlogContent = Type.Object(
  {
    title: line({ minLength: 1, maxLength: 200 }),
    /** Written as lower-case letters, digits and dashes; empty: made of the title. */
    slug: line({ maxLength: 200 }),
    summary: lines({ maxLength: 500 }),
    markdown: Markdown,
    tags: Type.Array(line({ minLength: 1, maxLength: 40 }), { maxItems: maxBlogTags, uniqueItems: true }),
    authorName: line({ maxLength: 120 }),
    /** For search engines; empty: the title. */
    seoTitle: line({ maxLength: 120 }),
    /** For search engines; empty: the summary. */
    seoDescription: line({ maxLength: 300 }),
    coverId: nullable(Uuid),
  },
  closed,
)
export type BlogContent = Static<typeof BlogContent>

const facts = {
  id: Uuid,
  state: Type.Enum([...blogStates]),
  /** Rises by one with each change. */
  version: Type.Integer({ minimum: 1 }),
  /** In the future: when it will be published. */
  publishedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** A post, as superadmins edit it. */
export const BlogPost = Type.Object({
  ...facts,
  ...BlogContent.properties,
  /** Path of the cover; null: none. */
  coverUrl: nullable(Type.String()),
})
export type BlogPost = Static<typeof BlogPost>

/** A post in the list of superadmins. */
export const BlogLine = Type.Object({
  ...facts,
  title: Type.String(),
  slug: Type.String(),
  tags: Type.Array(Type.String()),
  authorName: Type.String(),
})
export type BlogLine = Static<typeof BlogLine>

const Version = Type.Integer({ minimum: 1, maximum: 2_000_000_000 })
const PostParams = Type.Object({ postId: Uuid })
const RevisionParams = Type.Object({ postId: Uuid, revisionId: Uuid })
const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const base = '/api/v1/superadmin/blog'

const filters = {
  /** Words of the title, summary or slug. */
  search: Type.Optional(line({ maxLength: 200 })),
  /** Default: all but deleted ones. */
  state: Type.Optional(Type.Enum([...blogStates])),
  /** By the time of the last change. Default: the latest first. */
  order: Type.Optional(Type.Enum(['latest', 'oldest'])),
}
const BlogFilters = Type.Object(filters, { additionalProperties: false })
export type BlogFilters = Static<typeof BlogFilters>

export const exportBlogPosts = route({
  ...superadmin,
  operationId: 'exportBlogPosts',
  method: 'POST',
  path: `${base}/posts/exports`,
  summary: 'Download the list of posts as CSV, without their text',
  body: BlogFilters,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const listBlogPosts = route({
  ...superadmin,
  operationId: 'listBlogPosts',
  method: 'GET',
  path: `${base}/posts`,
  summary: 'List the posts of the blog',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    closed,
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(BlogLine),
      nextCursor: nullable(Type.String()),
      /** Posts of Earshot itself that the blog shows too, by the setting BLOG_BUILT_IN_POSTS. */
      builtInPosts: Type.Integer(),
    }),
  },
  errors: [],
  rate: 'read',
})

export const createBlogPost = route({
  ...superadmin,
  operationId: 'createBlogPost',
  method: 'POST',
  path: `${base}/posts`,
  summary: 'Create a draft',
  body: Type.Object(
    {
      /** Made by the caller (UUIDv7). Sent again, the same post is meant. */
      id: Uuid,
      title: line({ minLength: 1, maxLength: 200 }),
    },
    closed,
  ),
  replies: { 201: BlogPost },
  errors: [],
  rate: 'write',
})

export const getBlogPost = route({
  ...superadmin,
  operationId: 'getBlogPost',
  method: 'GET',
  path: `${base}/posts/{postId}`,
  summary: 'Read a post, whatever its state is',
  params: PostParams,
  replies: { 200: BlogPost },
  errors: ['post_not_found'],
  rate: 'read',
})

export const saveBlogPost = route({
  ...superadmin,
  operationId: 'saveBlogPost',
  method: 'PUT',
  path: `${base}/posts/{postId}`,
  summary: 'Save a post; sent again, the same save is meant',
  params: PostParams,
  body: Type.Object(
    {
      ...BlogContent.properties,
      /** The version that was edited. */
      version: Version,
      /**
       * Saved by the editor itself, which published posts refuse. In the list of revisions it replaces the same person’s
       * autosave before it, if that is less than ten minutes old.
       */
      isAutosave: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  replies: { 200: BlogPost },
  errors: ['post_not_found', 'post_slug_taken', 'post_published', 'edit_conflict'],
  rate: 'write',
})

export const setBlogPublication = route({
  ...superadmin,
  operationId: 'setBlogPublication',
  method: 'PUT',
  path: `${base}/posts/{postId}/publication`,
  summary: 'Publish a post now or at a time, or take it back into the drafts',
  params: PostParams,
  body: Type.Object(
    {
      version: Version,
      state: Type.Enum(['draft', 'scheduled', 'published']),
      /** With `scheduled`, and only then: a time in the future. */
      publishAt: Type.Optional(Timestamp),
    },
    closed,
  ),
  replies: { 200: BlogPost },
  errors: ['post_not_found', 'edit_conflict'],
  rate: 'write',
})

export const deleteBlogPost = route({
  ...superadmin,
  operationId: 'deleteBlogPost',
  method: 'DELETE',
  path: `${base}/posts/{postId}`,
  summary: 'Move a post to the trash: no one can read it',
  params: PostParams,
  replies: { 204: Type.Null() },
  errors: ['post_not_found'],
  rate: 'write',
})

export const restoreBlogPost = route({
  ...superadmin,
  operationId: 'restoreBlogPost',
  method: 'POST',
  path: `${base}/posts/{postId}/restoration`,
  summary: 'Restore a post from the trash, as a draft',
  params: PostParams,
  replies: { 200: BlogPost },
  errors: ['post_not_found'],
  rate: 'write',
})

/** One save of a post. */
export const BlogRevision = Type.Object({
  id: Uuid,
  /** Of the post, which this save made. */
  version: Type.Integer(),
  title: Type.String(),
  /** Characters of the Markdown. */
  characters: Type.Integer(),
  isAutosave: Type.Boolean(),
  savedAt: Timestamp,
  savedBy: nullable(Type.String()),
})
export type BlogRevision = Static<typeof BlogRevision>

export const listBlogRevisions = route({
  ...superadmin,
  operationId: 'listBlogRevisions',
  method: 'GET',
  path: `${base}/posts/{postId}/revisions`,
  summary: 'List saved versions of a post, latest first',
  params: PostParams,
  query: Type.Object(
    {
      /** The version that the list begins below. */
      before: Type.Optional(Version),
    },
    closed,
  ),
  replies: { 200: Type.Object({ items: Type.Array(BlogRevision), nextBefore: nullable(Type.Integer()) }) },
  errors: ['post_not_found'],
  rate: 'read',
})

export const getBlogRevision = route({
  ...superadmin,
  operationId: 'getBlogRevision',
  method: 'GET',
  path: `${base}/posts/{postId}/revisions/{revisionId}`,
  summary: 'Read a saved version of a post',
  params: RevisionParams,
  replies: { 200: BlogContent },
  errors: ['post_not_found'],
  rate: 'read',
})

export const restoreBlogRevision = route({
  ...superadmin,
  operationId: 'restoreBlogRevision',
  method: 'POST',
  path: `${base}/posts/{postId}/revisions/{revisionId}/restoration`,
  summary: 'Save an earlier version of a post as its latest',
  params: RevisionParams,
  body: Type.Object(
    {
      /** The latest version, as the caller has it. */
      version: Version,
    },
    closed,
  ),
  replies: { 200: BlogPost },
  errors: ['post_not_found', 'post_slug_taken', 'edit_conflict'],
  rate: 'write',
})

export const uploadBlogPicture = route({
  ...superadmin,
  operationId: 'uploadBlogPicture',
  method: 'POST',
  path: `${base}/pictures`,
  summary:
    'Upload a picture for posts (application/octet-stream): PNG, JPEG, WebP, AVIF or GIF; sent again, the same picture is meant',
  maxBodyBytes: maxBlogPictureBytes,
  replies: { 201: Type.Object({ id: Uuid, url: Type.String() }) },
  errors: ['validation_failed', 'body_too_large', 'unsupported_media_type'],
  rate: 'write',
})

export const previewBlogPost = route({
  ...superadmin,
  operationId: 'previewBlogPost',
  method: 'POST',
  path: `${base}/preview`,
  summary: 'Render Markdown as a post shows it',
  body: Type.Object({ markdown: Markdown }, closed),
  replies: { 200: Type.Object({ html: Type.String(), readingMinutes: Type.Integer() }) },
  errors: [],
  rate: 'read',
})
