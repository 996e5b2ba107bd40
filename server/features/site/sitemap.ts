import type { PageWords } from '#contract/site-pages.ts'
import { html } from '#server/platform/html.ts'

/** A public page as search engines and previews of links are told of it. */
export interface ContentPage extends PageWords {
  readonly changedAt?: Date | undefined
}

/** All public pages, for search engines (https://www.sitemaps.org/protocol.html). */
export function writeSitemap(appUrl: string, pages: readonly ContentPage[]): string {
  const urls = pages.map(({ path, changedAt }) => {
    const changed = changedAt ? html`<lastmod>${changedAt.toISOString()}</lastmod>` : html``
    return html`<url><loc>${appUrl}${path}</loc>${changed}</url>\n`
  })
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.markup
}

/** What crawlers may read (RFC 9309). */
export function writeRobots(appUrl: string): string {
  return [
    '# Pages with a secret in their address are not listed here: they answer `noindex`, which a crawler must be able to read.',
    'User-agent: *',
    'Disallow: /api/v1/',
    'Disallow: /auth/',
    'Disallow: /rest/',
    'Disallow: /dashboard',
    '',
    `Sitemap: ${appUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
