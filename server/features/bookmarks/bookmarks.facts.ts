import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: { '0013_bookmarks.sql': '3bd457037b8940b92851d9ab424787168694beacfdc327c7a95b789f5387f58e' },
  tables: {
    'public.bookmarks': {
      rights: ['----', '..-.', 'si-d', 'si-d', 's---'],
      make: ({ organizationId }) =>
        `insert into public.bookmarks (organization_id, id, title, url)
         values ('${organizationId}', gen_random_uuid(), 'made', 'https://made.example')`,
      row: inOrganization,
      change: "title = 'changed'",
      add: ({ organizationId }) =>
        `(organization_id, id, title, url) values ('${organizationId}', gen_random_uuid(), 'Added', 'https://added.example')`,
    },
  },
  routes: {
    createBookmark: { body: () => ({ id: crypto.randomUUID(), title: 'Shop', url: 'https://shop.example' }) },
  },
  events: {
    'bookmark.created': async (call) => {
      const id = crypto.randomUUID()
      await call('/bookmarks', { method: 'POST', body: { id, title: 'Shop', url: 'https://shop.example' } })
      return [id]
    },
  },
}
