import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { sitePages } from '#contract/site-pages.ts'
import { PostLine } from '#web/features/blog/post-line.tsx'
import { withBasePath } from '../../lib/base-path.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { PageHead } from '../site/page-head.tsx'

export function meta(page: PageMatches) {
  return [
    ...describePage(page, sitePages.blog),
    {
      tagName: 'link',
      rel: 'alternate',
      type: 'application/rss+xml',
      href: withBasePath('/blog/rss.xml'),
      title: 'Earshot: Blog',
    },
  ]
}

export async function loader({ context }: LoaderFunctionArgs) {
  const posts = await getPageContext(context).siteContent.listPosts()
  return { posts: posts.map((post) => ({ ...post, html: '' })) }
}

export default function BlogRoute() {
  const { posts } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-10 px-5 pt-12 pb-20 md:px-8 md:pt-16">
      <PageHead title={sitePages.blog.title}>{sitePages.blog.description}</PageHead>
      {posts.length === 0 && <p className="text-lg text-muted">There are no posts yet.</p>}
      <ul className="flex flex-col divide-y divide-border">
        {posts.map((post) => (
          <li key={post.slug} className="flex flex-col gap-2 py-6 first:pt-0">
            <h2 className="font-semibold text-2xl">
              <a href={withBasePath(`/blog/${post.slug}`)} className="rounded-sm underline-offset-4 hover:underline">
                {post.title}
              </a>
            </h2>
            <PostLine post={post} />
            <p className="text-lg text-muted">{post.description}</p>
          </li>
        ))}
      </ul>
      <p className="text-base text-muted">
        <a href={withBasePath('/blog/rss.xml')} className="rounded-sm text-accent-text underline">
          RSS feed
        </a>
      </p>
    </div>
  )
}
