import type { NewSavedView, SavedView, SavedViewChange } from '#contract/views.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { countOwnViews, deleteView, findView, insertView, listViews, updateView } from './views.queries.ts'

/** More than a person names by hand; without a limit, one member's script would fill every member's menu. */
const viewsPerPerson = 100

export interface SavedViews {
  /** The caller's own and those shared with the team, by name. */
  list(actor: Actor, organizationId: string): Promise<SavedView[]>
  /**
   * Saves a view. A retry gives the same answer and writes nothing.
   *
   * @throws ProductError `id_reused`, `too_many_views`, `validation_failed` for a blank name.
   */
  create(actor: Actor, organizationId: string, view: NewSavedView): Promise<{ view: SavedView; isNew: boolean }>
  /**
   * Changes the given fields only.
   *
   * @throws ProductError `view_not_found`; `permission_denied` when a member other than its owner makes it private.
   */
  update(actor: Actor, organizationId: string, id: string, change: SavedViewChange): Promise<SavedView>
  /** @throws ProductError `view_not_found`. */
  delete(actor: Actor, organizationId: string, id: string): Promise<void>
}

export function createSavedViews(database: Database): SavedViews {
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => listViews(tx, organizationId)),

    create: (actor, organizationId, { id: givenId, name: typedName, search, isShared }) => {
      const id = givenId.toLowerCase()
      const name = checkName(typedName)
      return database.withTenant(actor, async (tx) => {
        const count = await countOwnViews(tx, organizationId, actor.userId)
        const earlier = await findView(tx, organizationId, id)
        if (earlier) {
          const isSame =
            earlier.isOwn && earlier.name === name && earlier.search === search && earlier.isShared === isShared
          if (!isSame) throw new ProductError('id_reused')
          return { view: earlier, isNew: false }
        }
        if (count >= viewsPerPerson) throw new ProductError('too_many_views')
        const view = { organizationId, id, ownerUserId: actor.userId, name, search, isShared }
        const isNew = await insertView(tx, view)
        const saved = isNew ? await findView(tx, organizationId, id) : undefined
        if (!saved) throw new ProductError('id_reused')
        return { view: saved, isNew }
      })
    },

    update: (actor, organizationId, id, change) =>
      database.withTenant(actor, async (tx) => {
        const before = await findView(tx, organizationId, id)
        if (!before) throw new ProductError('view_not_found')
        if (change.isShared === false && before.isShared && !before.isOwn) {
          throw new ProductError('permission_denied', { detail: 'Only the owner of a view can make it private.' })
        }
        const name = change.name === undefined ? undefined : checkName(change.name)
        await updateView(tx, organizationId, id, { ...change, ...(name !== undefined && { name }) })
        const after = await findView(tx, organizationId, id)
        if (!after) throw new ProductError('view_not_found')
        return after
      }),

    delete: async (actor, organizationId, id) => {
      const isDeleted = await database.withTenant(actor, (tx) => deleteView(tx, organizationId, id))
      if (!isDeleted) throw new ProductError('view_not_found')
    },
  }
}

function checkName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw invalid('body.name', 'must not be blank')
  return name
}
