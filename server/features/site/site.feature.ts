import type { FastifyInstance } from 'fastify'
import { sitePages } from '#contract/site-pages.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readLegalText } from './legal-texts.ts'
import { siteRoutes } from './site.routes.ts'
import type { ContentPage } from './sitemap.ts'

interface SiteNeeds {
  /** Guides and posts that anyone may read. */
  readonly listContent: () => Promise<readonly ContentPage[]>
}

/** What public pages need beside their content: legal texts, and what search engines and previews of links read. */
export function createSiteFeature({ config }: Platform, { listContent }: SiteNeeds): Feature {
  const listPages = async (): Promise<ContentPage[]> => [...Object.values(sitePages), ...(await listContent())]
  return {
    name: 'site',
    siteContent: {
      getOperator: () => config.site.operator,
      readLegalText: (name) => readLegalText(config, name),
    },
    routes: (app: FastifyInstance) => siteRoutes(app, { appUrl: config.appUrl, listPages }),
  }
}
