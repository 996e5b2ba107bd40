import type { IssueLink } from '#contract/issue-links.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { IntegrationPath } from '../integrations.service.ts'
import { findDefinition } from '../registry.ts'
import {
  findLinkOf,
  findTracker,
  hasItem,
  linkIssue,
  linkNewIssues,
  listLinks,
  listTrackers,
  type TrackerRow,
  unlinkIssue,
} from './links.queries.ts'

export interface ItemPath {
  readonly organizationId: string
  readonly feedbackId: string
}

export interface IssueLinks {
  /** Trackers that are connected, also those that are paused. */
  listTrackers(actor: Actor, organizationId: string): Promise<TrackerRow[]>
  /** @throws ProductError `feedback_not_found`. */
  list(actor: Actor, path: ItemPath): Promise<IssueLink[]>
  /**
   * @param wanted.reference address or number of an issue; without it, a new one is created.
   * @throws ProductError `feedback_not_found`, `integration_not_found`, `integration_not_active`, `already_linked`,
   *   `validation_failed` for a reference that names no issue.
   */
  link(actor: Actor, path: ItemPath, wanted: { integrationId: string; reference?: string }): Promise<IssueLink>
  /** @throws ProductError `feedback_not_found`, `link_unknown`. */
  unlink(actor: Actor, path: ItemPath, linkId: string): Promise<void>
  /** @returns how many items get an issue. @throws ProductError `integration_not_found`, `integration_not_active`. */
  createMany(actor: Actor, path: IntegrationPath, feedbackIds: readonly string[]): Promise<number>
}

export function createIssueLinks(database: Database): IssueLinks {
  return {
    listTrackers: (actor, organizationId) => database.withTenant(actor, (tx) => listTrackers(tx, organizationId)),

    list: (actor, path) =>
      database.withTenant(actor, async (tx) => {
        await requireItem(tx, path)
        return listLinks(tx, path)
      }),

    link: (actor, path, { integrationId, reference }) =>
      database.withTenant(actor, async (tx) => {
        await requireItem(tx, path)
        const { tracker, config } = await requireTracker(tx, { ...path, integrationId })
        const row = { ...path, integrationId, createdBy: actor.userId }
        if (reference === undefined) {
          const created = await linkNewIssues(tx, { ...row, feedbackIds: [path.feedbackId] })
          if (created === 0) throw new ProductError('already_linked')
        } else {
          const issueKey = tracker.readReference(config, reference.trim())
          if (issueKey === undefined)
            throw invalid(
              'body.reference',
              'must be the address or the number of an issue that this integration reaches',
            )
          if (!(await linkIssue(tx, { ...row, issueKey }))) throw new ProductError('already_linked')
        }
        const link = await findLinkOf(tx, { ...path, integrationId })
        if (!link) throw new Error('a new link is missing')
        return link
      }),

    unlink: (actor, path, linkId) =>
      database.withTenant(actor, async (tx) => {
        await requireItem(tx, path)
        if (!(await unlinkIssue(tx, path, linkId))) throw new ProductError('link_unknown')
      }),

    createMany: (actor, path, feedbackIds) =>
      database.withTenant(actor, async (tx) => {
        await requireTracker(tx, path)
        return linkNewIssues(tx, { ...path, feedbackIds, createdBy: actor.userId })
      }),
  }
}

async function requireItem(tx: TenantTx, { organizationId, feedbackId }: ItemPath): Promise<void> {
  if (!(await hasItem(tx, organizationId, feedbackId))) throw new ProductError('feedback_not_found')
}

/** @throws ProductError `integration_not_found` also for a service that has no issues. */
async function requireTracker(tx: TenantTx, { organizationId, integrationId }: IntegrationPath) {
  const integration = await findTracker(tx, organizationId, integrationId)
  const tracker = integration && findDefinition(integration.type)?.tracker
  if (!integration || !tracker) throw new ProductError('integration_not_found')
  if (integration.state !== 'active') throw new ProductError('integration_not_active')
  return { tracker, config: integration.settings }
}
