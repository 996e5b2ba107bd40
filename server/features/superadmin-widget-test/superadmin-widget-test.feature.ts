import * as contract from '#contract/superadmin-widget-test.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { TestItems } from '../feedback/test-items.service.ts'
import { createTestedProjects } from './tested-projects.service.ts'

/** The widget of any project, tried by superadmins. */
export function createSuperadminWidgetTestFeature(
  { database }: Platform,
  { testItems }: { testItems: TestItems },
): Feature {
  const projects = createTestedProjects(database)
  return {
    name: 'superadmin-widget-test',
    routes: (app) => {
      addRoute(app, contract.listTestedProjects, async ({ query }) => answer(200, await projects.list(query)))
      addDownload(app, contract.exportTestedProjects, ({ body }) => projects.export(body))
      addRoute(app, contract.listTestItems, async ({ params }) => {
        const items = await testItems.list(params)
        return answer(200, { items: items.map((item) => ({ ...item, createdAt: item.createdAt.toISOString() })) })
      })
      addRoute(app, contract.removeTestItem, async ({ params }) => {
        await testItems.remove(params)
        return answer(204, null)
      })
    },
  }
}
