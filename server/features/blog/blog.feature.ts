import { join } from 'node:path'
import type { Post } from '#contract/blog.ts'
import type { PageWords } from '#contract/site-pages.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { blogRoutes } from './blog.routes.ts'
import { isDue, readPosts } from './read-posts.ts'

export interface BlogFeature extends Feature {
  /** All posts that may be read, as search engines and previews of links are told of them. */
  readonly listPages: () => Promise<readonly (PageWords & { readonly changedAt: Date })[]>
}

/** The blog: the posts of `docs/blog`, where the instance shows them. */
export function createBlogFeature({ config }: Platform): BlogFeature {
  const folder = join(import.meta.dirname, '../../../docs/blog')
  let known: Promise<readonly Post[]> | undefined

  function readAll(): Promise<readonly Post[]> {
    if (!config.site.hasBuiltInPosts) return Promise.resolve([])
    known ??= readPosts(folder)
    // A failure is not remembered.
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const listPosts = async () => (await readAll()).filter((post) => isDue(post, new Date()))

  return {
    name: 'blog',
    siteContent: {
      listPosts,
      // A slug is looked up, never joined to the name of a file.
      readPost: async (slug) => {
        const posts = await listPosts()
        const at = posts.findIndex((post) => post.slug === slug)
        const post = posts[at]
        return post && { ...post, newer: posts[at - 1] ?? null, older: posts[at + 1] ?? null }
      },
    },
    listPages: async () =>
      (await listPosts()).map(({ slug, title, description, publishedAt }) => ({
        path: `/blog/${slug}`,
        title,
        description,
        changedAt: new Date(publishedAt),
      })),
    routes: (app) => blogRoutes(app, { appUrl: config.appUrl, listPosts }),
  }
}
