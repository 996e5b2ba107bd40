import { data, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import type { PublicConfig } from '#contract/config.ts'
import type { Guide } from '#contract/docs.ts'
import { GuidePage } from '#web/features/docs/guide-page.tsx'
import { withBasePath, withoutBasePath } from '../../lib/base-path.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { SiteError } from '../site/site-error.tsx'

type Loaded = Awaited<ReturnType<typeof loader>>

export function meta({ matches, loaderData }: PageMatches & { loaderData?: Loaded }) {
  if (!loaderData) return []
  const { guide, publicConfig } = loaderData
  const { path, title, description } = guide
  return [
    ...describePage({ matches }, { path: `/docs/guides/${path}`, title, description }),
    {
      tagName: 'link',
      rel: 'alternate',
      type: 'text/markdown',
      href: withBasePath(`/docs/guides/${path}.md`),
      title: `${title}, as Markdown`,
    },
    ...describeStructure(guide, publicConfig),
  ]
}

/** What search engines show of the guide: https://schema.org/TechArticle. */
function describeStructure({ path, title, description, changed }: Guide, { appUrl }: PublicConfig) {
  if (appUrl === null) return []
  const url = `${appUrl}/docs/guides/${path}`
  const crumbs = [
    { name: 'Earshot', item: `${appUrl}/` },
    { name: 'Docs', item: `${appUrl}/docs` },
    { name: title, item: url },
  ]
  return [
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'TechArticle',
            headline: title,
            description,
            url,
            inLanguage: 'en-GB',
            ...(changed !== null && { dateModified: changed }),
            publisher: { '@type': 'Organization', name: 'Earshot', url: `${appUrl}/` },
          },
          {
            '@type': 'BreadcrumbList',
            itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
          },
        ],
      },
    },
  ]
}

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const { siteContent, publicConfig } = getPageContext(context)
  const guide = await siteContent.readGuide(params.path ?? '')
  if (!guide) throw data(null, { status: 404 })
  if ('movedTo' in guide) throw redirect(`/docs/guides/${guide.movedTo}`, 301)
  const address = `/docs/guides/${guide.path}`
  // One address for each guide, without a slash at its end.
  if (withoutBasePath(new URL(request.url).pathname) !== address) throw redirect(address, 301)
  return { guide, guides: await siteContent.listGuides(), publicConfig }
}

export default function GuideRoute() {
  const { guide, guides } = useLoaderData<typeof loader>()
  return <GuidePage guide={guide} guides={guides} />
}

export function ErrorBoundary() {
  return <SiteError />
}
