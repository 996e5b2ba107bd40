import { data, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import type { Post } from '#contract/blog.ts'
import { PostLine } from '#web/features/blog/post-line.tsx'
import { withBasePath } from '../../lib/base-path.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { Prose } from '../../ui/prose.tsx'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { PageHead } from '../site/page-head.tsx'
import { SiteError } from '../site/site-error.tsx'

export function meta(page: PageMatches & { loaderData?: { post: Post } }) {
  if (!page.loaderData) return []
  const { slug, title, seoTitle, seoDescription, publishedAt, updatedAt, authorName, tags } = page.loaderData.post
  const structured = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: title,
    description: seoDescription,
    datePublished: publishedAt,
    dateModified: updatedAt,
    ...(authorName && { author: { '@type': 'Person', name: authorName } }),
    keywords: tags,
    inLanguage: 'en-GB',
  }
  return [
    ...describePage(
      page,
      { path: `/blog/${slug}`, title: seoTitle, description: seoDescription },
      { structured, type: 'article' },
    ),
    { property: 'article:published_time', content: publishedAt },
  ]
}

export async function loader({ context, params }: LoaderFunctionArgs) {
  const found = await getPageContext(context).siteContent.readPost(params.slug ?? '')
  if (!found) throw data(null, { status: 404 })
  if ('movedTo' in found) throw redirect(`/blog/${found.movedTo}`, 301)
  return { post: found }
}

export const ErrorBoundary = SiteError

export default function BlogPostRoute() {
  const { post } = useLoaderData<typeof loader>()
  return (
    <article data-guide className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-5 pt-12 pb-20 md:px-8 md:pt-16">
      <div className="flex flex-col gap-4">
        <PostLine post={post} />
        <PageHead title={post.title}>{post.description}</PageHead>
      </div>
      {post.coverUrl && (
        // Its words stand beside it.
        <img
          src={withBasePath(post.coverUrl)}
          alt=""
          className="aspect-[1200/630] w-full rounded-lg border border-border object-cover"
        />
      )}
      <Prose html={post.html} />
      <nav
        aria-label="More posts"
        className="flex flex-wrap justify-between gap-4 border-border border-t pt-6 text-base"
      >
        {post.newer ? <MoreLink label="Newer" {...post.newer} /> : <span />}
        {post.older && <MoreLink label="Older" {...post.older} />}
      </nav>
    </article>
  )
}

function MoreLink({ label, slug, title }: { label: string; slug: string; title: string }) {
  return (
    <a href={withBasePath(`/blog/${slug}`)} className="flex flex-col rounded-sm hover:text-accent-text">
      <span className="text-muted text-sm">{label}</span>
      <span className="font-medium">{title}</span>
    </a>
  )
}
