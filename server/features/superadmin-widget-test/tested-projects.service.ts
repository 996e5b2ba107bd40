import type { TestedProject, TestedProjectFilters } from '#contract/superadmin-widget-test.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createDownloadableList } from '#server/platform/events/downloadable-list.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { readTimeCursor, type TimePlace, writeTimeCursor } from '#server/platform/http/time-cursor.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import { listTestedProjects, type NamePlace, type TestedProjectRow } from './tested-projects.queries.ts'

const pageSize = 20
const reason = 'superadmins try the widget of any project'

type Place = NamePlace | TimePlace

/** The projects of the instance, whose widgets superadmins try. */
export const createTestedProjects = (database: Database) =>
  createDownloadableList(database, {
    name: 'Projects',
    file: 'projects',
    columns: [
      ...['id', 'name', 'domain', 'widget_key', 'created_at', 'last_loaded_at', 'archived'],
      ...['organization_id', 'organization_name'],
    ],
    pageSize,
    find: (filters: TestedProjectFilters, page: { after: Place | undefined; limit: number }) =>
      database.asSystem(reason, (tx) => listTestedProjects(tx, filters, page)),
    placeOf: toPlace,
    readCursor: readPlace,
    writeCursor: writePlace,
    toItem: toProject,
    toCells,
  })

function toProject({ at: _, ...row }: TestedProjectRow): TestedProject {
  const { organizationId, organizationName, lastLoadedAt, createdAt, ...project } = row
  return {
    ...project,
    lastLoadedAt: lastLoadedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    organization: { id: organizationId, name: organizationName },
  }
}

function toCells(project: TestedProject): Cell[] {
  const { id, name, domain, widgetKey, createdAt, lastLoadedAt, isArchived, organization } = project
  return [id, name, domain, widgetKey, createdAt, lastLoadedAt, isArchived, organization.id, organization.name]
}

function toPlace({ id, name, at }: TestedProjectRow, { order }: TestedProjectFilters): Place {
  return order === 'latest' ? { at, id } : { name: name.toLowerCase(), id }
}

function writePlace(place: Place): string {
  return 'at' in place ? writeTimeCursor(place) : Buffer.from(`${place.id}${place.name}`).toString('base64url')
}

const idLength = 36

/** @throws ProductError `validation_failed` when the text is none of ours. */
function readPlace(cursor: string, { order }: TestedProjectFilters): Place {
  if (order === 'latest') return readTimeCursor(cursor)
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, name] = [text.slice(0, idLength), text.slice(idLength)]
  if (!isUuid(id) || name.includes('\0')) throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  return { name, id }
}
