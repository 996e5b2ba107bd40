import { join } from 'node:path'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { docsRoutes } from './docs.routes.ts'
import { createDocs } from './docs.service.ts'

/** The documentation: guides from `docs/guides`, their search, and their texts for programs. */
export function createDocsFeature({ config }: Platform): Feature {
  const root = join(import.meta.dirname, '../../..')
  const docs = createDocs({ root, appUrl: config.appUrl, editUrl: config.docsEditUrl })
  return {
    name: 'docs',
    routes: (app) => docsRoutes(app, docs),
    siteContent: { listGuides: docs.listGuides, readGuide: docs.readGuide },
  }
}
