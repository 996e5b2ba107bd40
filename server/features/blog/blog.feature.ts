import { join } from 'node:path'
import type { PageWords } from '#contract/site-pages.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { blogRoutes } from './blog.routes.ts'
import { createPictures } from './pictures/pictures.service.ts'
import { createPosts } from './posts/posts.service.ts'
import { createBlogReader } from './reading/blog-reader.ts'
import { publicBlogRoutes } from './reading/public-blog.routes.ts'
import { readPosts } from './reading/read-posts.ts'

export interface BlogFeature extends Feature {
  /** All posts that may be read, as search engines and previews of links are told of them. */
  readonly listPages: () => Promise<readonly (PageWords & { readonly changedAt: Date })[]>
}

/** The blog: posts that superadmins write, and those of `docs/blog` where the instance shows them. */
export function createBlogFeature({ config, database, storage }: Platform): BlogFeature {
  const folder = join(import.meta.dirname, '../../../docs/blog')
  const reader = createBlogReader(database, async () => (config.site.hasBuiltInPosts ? readPosts(folder) : []))
  const pictures = createPictures(database, storage)
  return {
    name: 'blog',
    siteContent: { listPosts: reader.list, readPost: reader.read },
    listPages: async () =>
      (await reader.list()).map(({ slug, title, description, updatedAt }) => ({
        path: `/blog/${slug}`,
        title,
        description,
        changedAt: new Date(updatedAt),
      })),
    routes: (app) => {
      blogRoutes(app, { posts: createPosts(database, reader.forget), pictures, countBuiltIn: reader.countBuiltIn })
      publicBlogRoutes(app, { reader, pictures, storage, appUrl: config.appUrl })
    },
  }
}
