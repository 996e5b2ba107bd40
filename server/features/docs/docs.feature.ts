import { join } from 'node:path'
import type { PageWords } from '#contract/site-pages.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { docsRoutes } from './docs.routes.ts'
import { createDocs } from './docs.service.ts'

export interface DocsFeature extends Feature {
  /** All guides, as search engines and previews of links are told of them. */
  readonly listPages: () => Promise<readonly (PageWords & { readonly changedAt?: Date | undefined })[]>
}

/** The documentation: guides from `docs/guides`, their search, and their texts for programs. */
export function createDocsFeature({ config }: Platform): DocsFeature {
  const root = join(import.meta.dirname, '../../..')
  const docs = createDocs({ root, appUrl: config.appUrl, editUrl: config.docsEditUrl })
  return {
    name: 'docs',
    routes: (app) => docsRoutes(app, docs),
    listPages: async () =>
      (await docs.listGuides()).map(({ path, title, description, changed }) => ({
        path: `/docs/guides/${path}`,
        title,
        description,
        changedAt: changed === null ? undefined : new Date(changed),
      })),
    siteContent: { listGuides: docs.listGuides, readGuide: docs.readGuide },
  }
}
