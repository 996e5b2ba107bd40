import { randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import { type NewProject, type Project, type ProjectChange, projectCountLimit } from '#contract/projects.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { normaliseDomain } from './domain.ts'
import {
  changeProject,
  countContents,
  deleteProject,
  findProject,
  insertProject,
  listProjects,
  type ProjectContents,
} from './projects.queries.ts'

export interface Projects {
  list(actor: Actor, organizationId: string): Promise<Project[]>
  /** @throws ProductError `project_not_found`. */
  get(actor: Actor, organizationId: string, projectId: string): Promise<Project>
  /** @throws ProductError `validation_failed` for a domain that is none, `project_domain_taken`. */
  create(actor: Actor, organizationId: string, project: NewProject): Promise<Project>
  /**
   * Changes what is given and leaves the rest.
   *
   * @throws ProductError `project_not_found`, `validation_failed` for a host that is none, `project_domain_taken`.
   */
  update(actor: Actor, organizationId: string, projectId: string, change: ProjectChange): Promise<Project>
  /**
   * Counts what would be lost.
   *
   * @throws ProductError `project_not_found`.
   */
  count(
    actor: Actor,
    organizationId: string,
    projectId: string,
    olderThanDays: number | undefined,
  ): Promise<ProjectContents & { items: number; limit: number }>
  /**
   * Deletes a project at once for everybody; its rows and files follow by a job.
   *
   * @param typedName what somebody typed to show that they mean this one.
   * @throws ProductError `project_not_found`, `validation_failed` for another name.
   */
  remove(actor: Actor, organizationId: string, projectId: string, typedName: string): Promise<void>
}

export function createProjects(database: Database): Projects {
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => listProjects(tx, organizationId)),

    get: async (actor, organizationId, projectId) => {
      const project = await database.withTenant(actor, (tx) => findProject(tx, organizationId, projectId))
      if (!project) throw new ProductError('project_not_found')
      return project
    },

    create: async (actor, organizationId, { name, domain: typedDomain }) => {
      const trimmedName = checkName(name)
      const domain = checkHost(typedDomain, 'body.domain')
      const id = uuidV7()
      const widgetKey = `wk_${randomBytes(16).toString('base64url')}`
      const project = await database.withTenant(actor, async (tx) => {
        const inserted = await insertProject(tx, {
          organizationId,
          id,
          name: trimmedName,
          domain,
          widgetKey,
          actorUserId: actor.userId,
        })
        return inserted ? findProject(tx, organizationId, id) : undefined
      })
      if (!project) throw new ProductError('project_domain_taken')
      return project
    },

    update: async (actor, organizationId, projectId, { name, domain, extraOrigins, ...rest }) => {
      const change: ProjectChange = {
        ...rest,
        ...(name !== undefined && { name: checkName(name) }),
        ...(domain !== undefined && { domain: checkHost(domain, 'body.domain') }),
        // Typed in twice, perhaps in two spellings: once is enough.
        ...(extraOrigins && {
          extraOrigins: [...new Set(extraOrigins.map((host, index) => checkHost(host, `body.extraOrigins.${index}`)))],
        }),
      }
      try {
        return await database.withTenant(actor, async (tx) => {
          const before = await findProject(tx, organizationId, projectId)
          if (!before) throw new ProductError('project_not_found')
          await changeProject(tx, { organizationId, projectId, actorUserId: actor.userId, change })
          return (await findProject(tx, organizationId, projectId)) ?? before
        })
      } catch (error) {
        // Unique violation: the domain is the only thing here that must be.
        if ((error as { code?: string }).code === '23505') throw new ProductError('project_domain_taken')
        throw error
      }
    },

    count: (actor, organizationId, projectId, olderThanDays) =>
      database.withTenant(actor, async (tx) => {
        const project = await findProject(tx, organizationId, projectId)
        if (!project) throw new ProductError('project_not_found')
        const limit = projectCountLimit
        const contents = await countContents(tx, { organizationId, projectId, olderThanDays, limit })
        return { items: project.feedbackCount, ...contents, limit }
      }),

    remove: (actor, organizationId, projectId, typedName) =>
      database.withTenant(actor, async (tx) => {
        const project = await findProject(tx, organizationId, projectId)
        if (!project) throw new ProductError('project_not_found')
        if (typedName.trim() !== project.name) throw invalid('body.name', 'must be the name of the project')
        if (!(await deleteProject(tx, organizationId, projectId))) throw new ProductError('project_not_found')
      }),
  }
}

function checkName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw invalid('body.name', 'must not be blank')
  return name
}

function checkHost(typed: string, path: string): string {
  const host = normaliseDomain(typed)
  if (host === undefined) throw invalid(path, 'must be a host name such as example.com, without https:// or a path')
  return host
}

function invalid(path: string, message: string): ProductError {
  return new ProductError('validation_failed', { fields: [{ path, message }] })
}
