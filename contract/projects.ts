import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams, ProjectParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/**
 * A host name, without scheme, port or path: `example.com`, `localhost`, `app.example.co.uk`. Upper case and
 * surrounding space are accepted and normalised by the server, which also refuses what is not a host name.
 */
const Domain = line({ minLength: 1, maxLength: 253, description: 'Host name of the website, e.g. example.com' })

export const Project = Type.Object({
  id: Uuid,
  name: Type.String(),
  domain: Type.String(),
  /** Additional domains on which the widget works, with their subdomains. */
  extraOrigins: Type.Array(Type.String()),
  /** Public key of the project's widget; it is part of the snippet's address. */
  widgetKey: Type.String(),
  feedbackCount: Type.Integer(),
  /** When a page last asked for the widget; null until the snippet is found on a page. */
  widgetLastLoadedAt: nullable(Timestamp),
  /** Since when it takes no new feedback; null: it does. */
  archivedAt: nullable(Timestamp),
  /** Feedback older than this many days is permanently deleted every night; null: kept forever. */
  retentionDays: nullable(Type.Integer()),
  /** Whether visitors get an email when their feedback is resolved, once for each item. */
  emailsOnResolve: Type.Boolean(),
  createdAt: Timestamp,
})
export type Project = Static<typeof Project>

export const NewProject = Type.Object(
  { name: line({ minLength: 1, maxLength: 100 }), domain: Domain },
  { additionalProperties: false },
)
export type NewProject = Static<typeof NewProject>

export const listProjects = route({
  operationId: 'listProjects',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/projects',
  summary: 'List the projects of an organisation',
  tag: 'projects',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(Project) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_projects' },
  rate: 'read',
})

export const createProject = route({
  operationId: 'createProject',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/projects',
  summary: 'Create a project and its widget',
  tag: 'projects',
  params: OrganizationParams,
  body: NewProject,
  replies: { 201: Project },
  errors: ['project_domain_taken', 'plan_limit_reached', 'plan_required'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})

export const getProject = route({
  operationId: 'getProject',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/projects/{projectId}',
  summary: 'Read one project',
  tag: 'projects',
  params: ProjectParams,
  replies: { 200: Project },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'view_projects' },
  rate: 'read',
})

export const ProjectChange = Type.Object(
  {
    name: Type.Optional(line({ minLength: 1, maxLength: 100 })),
    domain: Type.Optional(Domain),
    extraOrigins: Type.Optional(Type.Array(Domain, { maxItems: 20 })),
    /** True: it takes no new feedback from now on, and its widget shows on no page. Nothing is lost. */
    archived: Type.Optional(Type.Boolean()),
    /** Null: feedback is kept. */
    retentionDays: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3650 }))),
    emailsOnResolve: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ProjectChange = Static<typeof ProjectChange>

export const updateProject = route({
  operationId: 'updateProject',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/projects/{projectId}',
  summary:
    'Change a project: its name and hosts, whether it takes feedback, how long it keeps it, and its emails to visitors',
  tag: 'projects',
  params: ProjectParams,
  body: ProjectChange,
  replies: { 200: Project },
  errors: ['project_not_found', 'project_domain_taken', 'plan_limit_reached', 'plan_required'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})

/** Counting what a project holds ends here: this means that many or more. */
export const projectCountLimit = 10_000

export const getProjectContents = route({
  operationId: 'getProjectContents',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/projects/{projectId}/contents',
  summary: 'Count what would be lost with a project, or with feedback older than some days',
  tag: 'projects',
  params: ProjectParams,
  query: Type.Object(
    { olderThanDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })) },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      items: Type.Integer(),
      /** Of at most `limit`. */
      files: Type.Integer(),
      /** Of those files, in bytes. */
      fileBytes: Type.Integer(),
      /** Items older than was asked, of at most `limit`; null: it was not asked. */
      olderItems: nullable(Type.Integer()),
      limit: Type.Integer(),
    }),
  },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'read',
})

export const deleteProject = route({
  operationId: 'deleteProject',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/projects/{projectId}',
  summary: 'Delete a project with its feedback and files: hidden at once, then permanently deleted by a job',
  tag: 'projects',
  params: ProjectParams,
  /** The project's name, typed as a confirmation. */
  body: Type.Object({ name: line({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false }),
  replies: { 204: Type.Null() },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})
