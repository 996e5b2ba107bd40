import { randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { NewProject, Project } from '#contract/projects.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { normaliseDomain } from './domain.ts'
import { findProject, insertProject, listProjects } from './projects.queries.ts'

export interface Projects {
  list(actor: Actor, organizationId: string): Promise<Project[]>
  /** @throws ProductError `project_not_found`. */
  get(actor: Actor, organizationId: string, projectId: string): Promise<Project>
  /** @throws ProductError `validation_failed` for a domain that is none, `project_domain_taken`. */
  create(actor: Actor, organizationId: string, project: NewProject): Promise<Project>
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
      const trimmedName = name.trim()
      if (trimmedName === '') throw invalid('body.name', 'must not be blank')
      const domain = normaliseDomain(typedDomain)
      if (domain === undefined) {
        throw invalid('body.domain', 'must be a host name such as example.com, without https:// or a path')
      }
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
  }
}

function invalid(path: string, message: string): ProductError {
  return new ProductError('validation_failed', { fields: [{ path, message }] })
}
