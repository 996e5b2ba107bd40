import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { v7 as uuidV7 } from 'uuid'
import { type NewProject, type Project, type ProjectChange, projectCountLimit } from '#contract/projects.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { requireRoom } from '../billing/billing.service.ts'
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
  /**
   * @throws ProductError `validation_failed` for an invalid domain, `project_domain_taken`, `plan_limit_reached`,
   * `plan_required`.
   */
  create(actor: Actor, organizationId: string, project: NewProject): Promise<Project>
  /**
   * Changes the given properties only.
   *
   * @throws ProductError `project_not_found`, `validation_failed` for an invalid host, `project_domain_taken`; where it is
   * no longer archived, `plan_limit_reached`, `plan_required`.
   */
  update(actor: Actor, organizationId: string, projectId: string, change: ProjectChange): Promise<Project>
  /**
   * Counts the items and other contents that a deletion, or a shorter retention, would delete.
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
   * Deletes a project for everyone at once; a job deletes its rows and files.
   *
   * @param typedName the typed confirmation.
   * @throws ProductError `project_not_found`, `validation_failed` for another name.
   */
  remove(actor: Actor, organizationId: string, projectId: string, typedName: string): Promise<void>
}

export function createProjects(database: Database): Projects {
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => listProjects(tx, organizationId)),

    get: (actor, organizationId, projectId) =>
      database.withTenant(actor, (tx) => getProject(tx, organizationId, projectId)),

    create: async (actor, organizationId, { name, domain: typedDomain }) => {
      const trimmedName = checkName(name)
      const domain = checkHost(typedDomain, 'body.domain')
      const id = uuidV7()
      const widgetKey = `wk_${randomBytes(16).toString('base64url')}`
      const project = await database.withTenant(actor, async (tx) => {
        await requireRoom(tx, organizationId, 'project')
        const inserted = await insertProject(tx, {
          organizationId,
          id,
          name: trimmedName,
          domain,
          widgetKey,
        })
        if (!inserted) return undefined
        const event = {
          organizationId,
          name: 'project.created',
          ids: [id],
          payload: { name: trimmedName, domain },
        } as const
        await recordEvent(tx, { ...event, announced: 'never' })
        return findProject(tx, organizationId, id)
      })
      if (!project) throw new ProductError('project_domain_taken')
      return project
    },

    update: async (actor, organizationId, projectId, typed) => {
      const change = checkChange(typed)
      try {
        return await database.withTenant(actor, async (tx) => {
          const before = await getProject(tx, organizationId, projectId)
          if (change.archived === false && before.archivedAt !== null) await requireRoom(tx, organizationId, 'project')
          await changeProject(tx, { organizationId, projectId, change })
          const after = (await findProject(tx, organizationId, projectId)) ?? before
          await recordChange(tx, organizationId, before, after)
          return after
        })
      } catch (error) {
        // Unique violation: of the columns that change here, only the domain must be unique.
        if ((error as { code?: string }).code === '23505') throw new ProductError('project_domain_taken')
        throw error
      }
    },

    count: (actor, organizationId, projectId, olderThanDays) =>
      database.withTenant(actor, async (tx) => {
        const project = await getProject(tx, organizationId, projectId)
        const limit = projectCountLimit
        const contents = await countContents(tx, { organizationId, projectId, olderThanDays, limit })
        return { items: project.feedbackCount, ...contents, limit }
      }),

    remove: (actor, organizationId, projectId, typedName) =>
      database.withTenant(actor, async (tx) => {
        const project = await getProject(tx, organizationId, projectId)
        if (typedName.trim() !== project.name) throw invalid('body.name', 'must be the name of the project')
        if (!(await deleteProject(tx, organizationId, projectId))) throw new ProductError('project_not_found')
      }),
  }
}

async function getProject(tx: TenantTx, organizationId: string, projectId: string): Promise<Project> {
  const project = await findProject(tx, organizationId, projectId)
  if (!project) throw new ProductError('project_not_found')
  return project
}

/** The values of a project that `project.updated` reports. */
function toFacts({ name, domain, extraOrigins, archivedAt, retentionDays, emailsOnResolve }: Project) {
  return { name, domain, extraOrigins, archived: archivedAt !== null, retentionDays, emailsOnResolve }
}

async function recordChange(tx: TenantTx, organizationId: string, former: Project, changed: Project): Promise<void> {
  const [before, after] = [toFacts(former), toFacts(changed)]
  // `Object.keys` gives strings; these are the keys of this literal.
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  if (names.length === 0) return
  const pick = (facts: typeof after) => Object.fromEntries(names.map((name) => [name, facts[name]]))
  const event = { organizationId, ids: [changed.id], announced: 'never' } as const
  await recordEvent(tx, { ...event, name: 'project.updated', payload: { before: pick(before), after: pick(after) } })
  if (before.archived === after.archived) return
  await recordEvent(tx, { ...event, name: after.archived ? 'widget.deactivated' : 'widget.activated', payload: {} })
}

function checkChange({ name, domain, extraOrigins, ...rest }: ProjectChange): ProjectChange {
  return {
    ...rest,
    ...(name !== undefined && { name: checkName(name) }),
    ...(domain !== undefined && { domain: checkHost(domain, 'body.domain') }),
    ...(extraOrigins && { extraOrigins: checkHosts(extraOrigins) }),
  }
}

function checkName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw invalid('body.name', 'must not be blank')
  return name
}

const hostRule = 'must be a host name such as example.com, without https:// or a path'

function checkHost(typed: string, path: string): string {
  const host = normaliseDomain(typed)
  if (host === undefined) throw invalid(path, hostRule)
  return host
}

/** Refuses a list with all its wrong hosts at once. Two spellings of one host are one origin. */
function checkHosts(typed: readonly string[]): string[] {
  const hosts = typed.map(normaliseDomain)
  const fields = hosts.flatMap((host, index) =>
    host === undefined ? [{ path: `body.extraOrigins.${index}`, message: hostRule }] : [],
  )
  if (fields.length > 0) throw new ProductError('validation_failed', { fields })
  return [...new Set(hosts.filter((host) => host !== undefined))]
}
