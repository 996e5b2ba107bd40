import { sitePages } from '#contract/site-pages.ts'
import { Html, html } from '#server/platform/html.ts'
import type { ListedPost } from './blog-reader.ts'

/** The posts as RSS 2.0 (https://www.rssboard.org/rss-specification), dates as RFC 822 has them. */
export function writeFeed(appUrl: string, posts: readonly ListedPost[]): string {
  const items = posts.map(
    ({ guid, slug, title, description, authorName, tags, publishedAt }) => html`<item>
<title>${title}</title>
<link>${appUrl}/blog/${slug}</link>
<guid isPermaLink="false">${guid}</guid>
<description>${description}</description>
<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>
${
  authorName &&
  html`<dc:creator>${authorName}</dc:creator>
`
}${tags.map((tag) => html`<category>${tag}</category>`)}
</item>
`,
  )
  const head = new Html(
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
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
