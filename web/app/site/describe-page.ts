import type { PublicConfig } from '#contract/config.ts'
import { type PageWords, writeDocumentTitle } from '#contract/site-pages.ts'

/** What a route's `meta` is given. */
export interface PageMatches {
  matches: ({ id: string; loaderData?: unknown } | undefined)[]
}

interface PageDetails {
  /** Structured data (https://schema.org), as JSON-LD. */
  structured?: object
  /** As Open Graph names kinds of pages. */
  type?: 'website' | 'article'
}

/** What the head of a public page says of it. */
export function describePage(
  { matches }: PageMatches,
  words: PageWords,
  { structured, type = 'website' }: PageDetails = {},
) {
  const { path, title, description } = words
  // The root's loader gives it; the routes' types know only their own.
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { config?: PublicConfig } | undefined
  const appUrl = root?.config?.appUrl
  return [
    { title: writeDocumentTitle(title) },
    { name: 'description', content: description },
    { property: 'og:type', content: type },
    { property: 'og:site_name', content: 'Earshot' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(structured ? [{ 'script:ld+json': structured }] : []),
    ...(appUrl
      ? [
          { tagName: 'link', rel: 'canonical', href: `${appUrl}${path}` },
          { property: 'og:url', content: `${appUrl}${path}` },
          // Drawn by the server: server/features/site.
          { property: 'og:image', content: `${appUrl}/pictures${path === '/' ? '/home' : path}.png` },
          { property: 'og:image:width', content: '1200' },
          { property: 'og:image:height', content: '630' },
          { property: 'og:image:alt', content: title },
        ]
      : []),
  ]
}
