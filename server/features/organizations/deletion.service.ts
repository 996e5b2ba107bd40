import {
  type OrganizationContents,
  type OrganizationDeletion,
  organizationCountLimit,
  organizationGraceDays,
} from '#contract/organization-deletion.ts'
import { renderOrganizationClosed } from '#server/features/mail/mail.service.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { checkRecentProof } from '#server/platform/http/recent-proof.ts'
import {
  closeOrganization,
  countContents,
  findDeletion,
  findPersonName,
  queueClosingEmails,
  restoreOrganization,
} from './deletion.queries.ts'

/** Deleting an organisation: closed at once, restorable within the grace, then removed by a job. */
export interface Deletions {
  /** Counts what would be lost. */
  count(actor: Actor, organizationId: string): Promise<OrganizationContents>
  /**
   * Closes the organisation for everyone and emails its owners. A retry returns the time of the first request.
   *
   * @param typedName the typed confirmation.
   * @returns until when it can be restored.
   * @throws ProductError `identity_proof_required`, `validation_failed` for another name, `organization_not_found`.
   */
  request(actor: Actor, organizationId: string, typedName: string): Promise<Date>
  /** @throws ProductError `deletion_not_found` when it is not closed. */
  find(actor: Actor, organizationId: string): Promise<OrganizationDeletion>
  /** @throws ProductError `organization_not_found` when the grace is over. */
  restore(actor: Actor, organizationId: string): Promise<void>
}

export function createDeletions(database: Database, { appUrl }: { appUrl: string }): Deletions {
  return {
    count: async (actor, organizationId) => {
      const limit = organizationCountLimit
      const contents = await database.withTenant(actor, (tx) => countContents(tx, organizationId, limit))
      return { ...contents, limit }
    },

    request: async (actor, organizationId, name) => {
      checkRecentProof(actor)
      const closing = { organizationId, name, graceDays: organizationGraceDays }
      return database.withTenant(actor, async (tx) => {
        const result = await closeOrganization(tx, closing)
        if (!('deleteAfter' in result)) {
          if (result.outcome === 'unknown') throw new ProductError('organization_not_found')
          throw invalid('body.name', 'must be the name of the organisation')
        }
        const { outcome, name: organizationName, deleteAfter } = result
        if (outcome === 'closed') {
          const closedByName = await findPersonName(tx, actor.userId)
          const mail = renderOrganizationClosed({ appUrl, organizationName, closedByName, deleteAfter })
          await queueClosingEmails(tx, organizationId, mail)
        }
        return deleteAfter
      })
    },

    find: async (actor, organizationId) => {
      const deletion = await database.withTenant(actor, (tx) => findDeletion(tx, organizationId))
      if (!deletion) throw new ProductError('deletion_not_found')
      return deletion
    },

    restore: async (actor, organizationId) => {
      const isOpen = await database.withTenant(actor, (tx) => restoreOrganization(tx, organizationId))
      if (!isOpen) throw new ProductError('organization_not_found')
    },
  }
}
