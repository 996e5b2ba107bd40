import * as contract from '#contract/superadmin-widget-test.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { TestItems } from '../feedback/test-items.service.ts'
import { listTestedProjects, type ProjectPlace } from './tested-projects.queries.ts'

const pageSize = 20

/** The widget of any project, tried by superadmins. */
export function createSuperadminWidgetTestFeature(
  { database }: Platform,
  { testItems }: { testItems: TestItems },
): Feature {
  return {
    name: 'superadmin-widget-test',
    routes: (app) => {
      addRoute(app, contract.listTestedProjects, async ({ query: { search = '', cursor, limit = pageSize } }) => {
        const rows = await database.asSystem('superadmins try the widget of any project', (tx) =>
          listTestedProjects(tx, {
            search: search.trim().toLowerCase(),
            after: cursor === undefined ? undefined : readCursor(cursor),
            limit: limit + 1,
          }),
        )
        const page = rows.slice(0, limit)
        const last = page.at(-1)
        return answer(200, {
          items: page.map(({ organizationId, organizationName, lastLoadedAt, ...project }) => ({
            ...project,
            lastLoadedAt: lastLoadedAt?.toISOString() ?? null,
            organization: { id: organizationId, name: organizationName },
          })),
          nextCursor: rows.length > limit && last ? writeCursor(last) : null,
        })
      })
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

function writeCursor({ name, id }: ProjectPlace): string {
  return Buffer.from(`${id}${name.toLowerCase()}`).toString('base64url')
}

const idLength = 36

/** @throws ProductError `validation_failed` when the text is none of ours. */
function readCursor(cursor: string): ProjectPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, name] = [text.slice(0, idLength), text.slice(idLength)]
  if (!isUuid(id) || name.includes('\0')) throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  return { name, id }
}
