import type { PublicConfig } from '#contract/config.ts'

/** What a route's `meta` is given. */
export interface PageMatches {
  matches: ({ id: string; loaderData?: unknown } | undefined)[]
}

/** What search engines and previews of links read of a public page. */
export interface PageWords {
  /** From the root, e.g. `/pricing`. */
  path: string
  title: string
  description: string
}

export function describePage({ matches }: PageMatches, { path, title, description }: PageWords) {
  // The root's loader gives it; the routes' types know only their own.
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { config?: PublicConfig } | undefined
  const appUrl = root?.config?.appUrl
  return [
    { title },
    { name: 'description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Earshot' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { name: 'twitter:card', content: 'summary' },
    ...(appUrl
      ? [
          { tagName: 'link', rel: 'canonical', href: `${appUrl}${path}` },
          { property: 'og:url', content: `${appUrl}${path}` },
        ]
      : []),
  ]
}
