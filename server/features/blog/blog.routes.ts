import type { FastifyInstance } from 'fastify'
import type { PostSummary } from '#contract/blog.ts'
import { sitePages } from '#contract/site-pages.ts'
import { Html, html } from '#server/platform/html.ts'
import { compressAnswer } from '#server/platform/http/compress-answer.ts'

interface BlogParts {
  readonly appUrl: string
  readonly listPosts: () => Promise<readonly PostSummary[]>
}

/** The feed of the blog; its pages are the web app's. */
export function blogRoutes(app: FastifyInstance, { appUrl, listPosts }: BlogParts): void {
  app.get('/blog/rss.xml', { schema: { hide: true }, onSend: compressAnswer }, async (_request, reply) =>
    reply
      .type('application/rss+xml; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(writeFeed(appUrl, await listPosts())),
  )
}

/** The posts as RSS 2.0 (https://www.rssboard.org/rss-specification), dates as RFC 822 has them. */
export function writeFeed(appUrl: string, posts: readonly PostSummary[]): string {
  const items = posts.map(
    ({ slug, title, description, tags, publishedAt }) => html`<item>
<title>${title}</title>
<link>${appUrl}/blog/${slug}</link>
<guid isPermaLink="true">${appUrl}/blog/${slug}</guid>
<description>${description}</description>
<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>
${tags.map((tag) => html`<category>${tag}</category>`)}
</item>
`,
  )
  const head = new Html(
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
  )
  return html`${head}
<channel>
<title>Earshot: ${sitePages.blog.title}</title>
<link>${appUrl}/blog</link>
<atom:link href="${appUrl}/blog/rss.xml" rel="self" type="application/rss+xml"/>
<description>${sitePages.blog.description}</description>
<language>en-GB</language>
${items}</channel>
</rss>
`.markup
}
