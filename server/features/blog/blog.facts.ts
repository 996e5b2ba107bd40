import type { Facts } from '#server/testing/facts.ts'

/** The system alone reads and writes them: superadmins' calls are the system's, and published posts are for anyone. */
const systemRights = ['----', '----', '----', '----', 'siud'] as const
const reason = 'The blog is of the instance, the same for all organisations.'
const made = '0190b5a0-0000-7000-8000-00000000b109'
const madeRevision = '0190b5a0-0000-7000-8000-00000000b10b'
const added = '0190b5a0-0000-7000-8000-00000000b10a'

const makePost = (id: string, slug: string) =>
  `insert into public.blog_posts (id, slug, title) values ('${id}', '${slug}', 'Made')
   on conflict (id) do update set version = 1, deleted_at = null, published_at = null`

/** The post of the tests over all routes, as they begin with it. */
const renew = ({ postId = '' }: Readonly<Record<string, string>>) =>
  `delete from public.blog_post_revisions where post_id = '${postId}' and version > 1;
   update public.blog_posts set version = 1, deleted_at = null, published_at = null where id = '${postId}';
   insert into public.blog_post_revisions (id, post_id, version, content)
   select '${madeRevision}', id, 1, jsonb_build_object('title', title, 'slug', slug, 'summary', summary, 'markdown', markdown, 'tags', tags,
     'authorName', author_name, 'seoTitle', seo_title, 'seoDescription', seo_description, 'coverId', null)
   from public.blog_posts where id = '${postId}' on conflict (post_id, version) do update set content = excluded.content`

const content = (tag: string) => ({
  title: 'Made',
  slug: `post-${tag}`,
  summary: 'In short',
  markdown: '# Made',
  tags: ['notes'],
  authorName: 'Ada',
  seoTitle: '',
  seoDescription: '',
  coverId: null,
  version: 1,
  isAutosave: false,
})

export const facts: Facts = {
  migrations: { '0046_blog.sql': '214dbaf9667308bf01789d1d1be9e7aaaa1c7533d6c3bd42a44db587357ff854' },
  tables: {
    'public.blog_pictures': {
      rights: systemRights,
      make: () =>
        `insert into public.blog_pictures (id, mime, bytes, sha256, storage_key)
         values ('${made}', 'image/png', 1, sha256('made'), 'made') on conflict do nothing`,
      row: () => `id = '${made}'`,
      change: 'bytes = 2',
      add: () => `(id, mime, bytes, sha256, storage_key) values ('${added}', 'image/png', 1, sha256('added'), 'added')`,
    },
    'public.blog_posts': {
      rights: systemRights,
      make: () => makePost(made, 'made'),
      row: () => `id = '${made}'`,
      change: "title = 'Changed'",
      add: () => `(id, slug, title) values ('${added}', 'added', 'Added')`,
    },
    'public.blog_post_revisions': {
      rights: systemRights,
      make: () =>
        `${makePost(made, 'made')};
         insert into public.blog_post_revisions (id, post_id, version, content)
         values ('${madeRevision}', '${made}', 1, '{}')
         on conflict do nothing`,
      row: () => `id = '${madeRevision}'`,
      change: 'is_autosave = true',
      add: () => `(id, post_id, version, content) values ('${added}', '${made}', 77, '{}')`,
    },
    'public.blog_redirects': {
      rights: systemRights,
      make: () =>
        `${makePost(made, 'made')};
         insert into public.blog_redirects (slug, post_id) values ('made-before', '${made}') on conflict do nothing`,
      row: () => `slug = 'made-before'`,
      change: 'created_at = now()',
      add: () => `(slug, post_id) values ('added-before', '${made}')`,
    },
  },
  withoutTenant: {
    'public.blog_pictures': reason,
    'public.blog_posts': reason,
    'public.blog_post_revisions': reason,
    'public.blog_redirects': reason,
  },
  ids: { postId: { table: 'public.blog_posts' }, revisionId: { table: 'public.blog_post_revisions' } },
  gates: { 'GET /blog/rss.xml': 'nothing', 'GET /blog/pictures/{name}': 'nothing' },
  routes: {
    exportBlogPosts: { body: () => ({}), fullBody: () => ({ search: 'made', state: 'draft', order: 'oldest' }) },
    createBlogPost: { body: () => ({ id: crypto.randomUUID(), title: 'A new post' }) },
    saveBlogPost: { body: ({ tag }) => content(tag), renew },
    setBlogPublication: {
      body: () => ({ version: 1, state: 'published' }),
      fullBody: () => ({ version: 1, state: 'scheduled', publishAt: '2100-01-01T00:00:00.000Z' }),
      renew,
    },
    deleteBlogPost: { renew },
    restoreBlogPost: { renew },
    getBlogRevision: { renew },
    restoreBlogRevision: { body: () => ({ version: 1 }), renew },
    // Tests over all routes send text.
    uploadBlogPicture: { refusal: 'validation_failed' },
    previewBlogPost: { body: () => ({ markdown: '# Made' }) },
  },
}
