import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

const closed = { additionalProperties: false } as const
const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const

/** A project of the instance, whose widget can be tried. */
export const TestedProject = Type.Object({
  id: Uuid,
  name: Type.String(),
  domain: Type.String(),
  isArchived: Type.Boolean(),
  widgetKey: Type.String(),
  /** When a page last loaded it; null: never. */
  lastLoadedAt: nullable(Timestamp),
  createdAt: Timestamp,
  organization: Type.Object({ id: Uuid, name: Type.String() }),
})
export type TestedProject = Static<typeof TestedProject>

const filters = {
  search: Type.Optional(line({ maxLength: 200 })),
  /** Default: by name. `latest`: the latest created first. */
  order: Type.Optional(Type.Enum(['name', 'latest'])),
}
const TestedProjectFilters = Type.Object(filters, closed)
export type TestedProjectFilters = Static<typeof TestedProjectFilters>

export const exportTestedProjects = route({
  ...superadmin,
  operationId: 'exportTestedProjects',
  method: 'POST',
  path: '/api/v1/superadmin/widget-test/projects/exports',
  summary: 'Download projects of the instance as CSV',
  body: TestedProjectFilters,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const listTestedProjects = route({
  ...superadmin,
  operationId: 'listTestedProjects',
  method: 'GET',
  path: '/api/v1/superadmin/widget-test/projects',
  summary: 'Find projects of the instance by name, domain, widget key or organisation',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 600 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    },
    closed,
  ),
  replies: { 200: Type.Object({ items: Type.Array(TestedProject), nextCursor: nullable(Type.String()) }) },
  errors: [],
  rate: 'read',
})

/** A test item of a project. */
export const TestItem = Type.Object({
  id: Uuid,
  number: Type.Integer(),
  /** The beginning of the message. */
  excerpt: Type.String(),
  /** Whether the organisation's plan locks it. */
  isLocked: Type.Boolean(),
  createdAt: Timestamp,
})
export type TestItem = Static<typeof TestItem>

export const listTestItems = route({
  ...superadmin,
  operationId: 'listTestItems',
  method: 'GET',
  path: '/api/v1/superadmin/widget-test/organizations/{organizationId}/projects/{projectId}/items',
  summary: 'List the latest test items of a project; at most 10',
  params: Type.Object({ organizationId: Uuid, projectId: Uuid }),
  replies: { 200: Type.Object({ items: Type.Array(TestItem) }) },
  errors: ['project_not_found'],
  rate: 'read',
})

export const removeTestItem = route({
  ...superadmin,
  operationId: 'removeTestItem',
  method: 'DELETE',
  path: '/api/v1/superadmin/widget-test/organizations/{organizationId}/items/{feedbackId}',
  summary: 'Permanently delete a test item with its files; other items are refused',
  params: Type.Object({ organizationId: Uuid, feedbackId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['feedback_not_found'],
  rate: 'write',
})
