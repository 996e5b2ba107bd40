import {
  type LinkedNoun,
  maxOrganizationsPerDay,
  type NewOrganization,
  type OwnOrganization,
  organizationsPerPage,
} from '#contract/own-organizations.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readNameCursor, writeNameCursor } from './name.cursor.ts'
import { createOwn, findOrganizationOf, findOwn, listOwn, selectOwn } from './own-organizations.queries.ts'

/** The organisations of one user. */
export interface OwnOrganizations {
  /** By name, a page at a time; closed ones that can still be restored are among them. */
  list(
    actor: Actor,
    options: { q?: string; cursor?: string; limit?: number },
  ): Promise<{ items: OwnOrganization[]; nextCursor: string | null }>
  /**
   * Creates an organisation with its owner and trial, as sign-up does.
   *
   * @returns whether it is new: false for a retry.
   * @throws ProductError `validation_failed` for a blank name, `id_reused`, `too_many_organizations`.
   */
  create(actor: Actor, organization: NewOrganization): Promise<{ organization: OwnOrganization; isNew: boolean }>
  /** Notes the switch to an organisation for the next sign-in. Does nothing for a superadmin who is no member. */
  select(actor: Actor, organizationId: string): Promise<void>
  /**
   * Finds where a link to an item or a project leads.
   *
   * @throws ProductError `link_not_found` when none of the caller's organisations has it. Not `organization_not_found`:
   * the dashboard takes that as the end of the caller's access.
   */
  findOf(actor: Actor, linked: LinkedNoun, id: string): Promise<{ id: string; name: string }>
}

export function createOwnOrganizations(database: Database): OwnOrganizations {
  return {
    async list(actor, { q = '', cursor, limit = organizationsPerPage }) {
      const after = cursor === undefined ? undefined : readNameCursor(cursor)
      // One more than a page: whether there is a next.
      const found = await database.withTenant(actor, (tx) => listOwn(tx, { words: q.trim(), after, limit: limit + 1 }))
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(({ organization }) => organization),
        nextCursor: found.length > limit && last ? writeNameCursor(last.position) : null,
      }
    },

    async create(actor, { id, name: typedName }) {
      const name = typedName.trim()
      if (name === '') throw invalid('body.name', 'must not be blank')
      return database.withTenant(actor, async (tx) => {
        const outcome = await createOwn(tx, { id, name, limitPerDay: maxOrganizationsPerDay })
        if (outcome === 'too_many') throw new ProductError('too_many_organizations')
        // A retry may find that its organisation was closed or left since.
        const organization = outcome === 'reused' ? undefined : await findOwn(tx, id)
        if (!organization) throw new ProductError('id_reused')
        return { organization, isNew: outcome === 'created' }
      })
    },

    async select(actor, organizationId) {
      await database.withTenant(actor, (tx) => selectOwn(tx, organizationId))
    },

    async findOf(actor, linked, id) {
      const organization = await database.withTenant(actor, (tx) => findOrganizationOf(tx, linked, id))
      if (!organization) throw new ProductError('link_not_found')
      return organization
    },
  }
}
