import { randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { NewProject, Project, ProjectChange } from '#contract/projects.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { normaliseDomain } from './domain.ts'
import { changeProject, findProject, insertProject, listProjects } from './projects.queries.ts'

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

    update: async (actor, organizationId, projectId, { name, domain, extraOrigins }) => {
      const change: ProjectChange = {
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
