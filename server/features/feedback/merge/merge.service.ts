import type { FeedbackDetail } from '#contract/feedback.ts'
import type { MergeTarget, SimilarItem, Unmerge } from '#contract/merge.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Feedback } from '../feedback.service.ts'
import { findSimilar } from '../related-items.queries.ts'
import * as queries from './merge.queries.ts'

/** Items that say the same. */
export interface Merges {
  /** @throws ProductError `feedback_not_found`. */
  listSimilar(actor: Actor, organizationId: string, id: string): Promise<SimilarItem[]>
  /**
   * Puts an item under another. There are no chains: what is under the item comes along, and a target that is itself
   * merged stands for what it is merged into.
   *
   * @throws ProductError `feedback_not_found`, `item_in_trash`, `validation_failed` for a target that can be none.
   */
  merge(actor: Actor, organizationId: string, id: string, target: MergeTarget): Promise<FeedbackDetail>
  /** @throws ProductError `feedback_not_found`. */
  unmerge(actor: Actor, organizationId: string, id: string, options: Unmerge): Promise<FeedbackDetail>
}

const maxSimilar = 5

export function createMerges(database: Database, feedback: Feedback): Merges {
  async function getItem(tx: TenantTx, organizationId: string, id: string): Promise<queries.MergeItem> {
    const item = await queries.findById(tx, organizationId, id)
    if (!item) throw new ProductError('feedback_not_found')
    return item
  }

  async function getTarget(tx: TenantTx, organizationId: string, item: queries.MergeItem, target: MergeTarget) {
    const { into, number } = target
    if (into !== undefined && number !== undefined) throw invalid('body.number', 'must be left out beside into')
    const field = into === undefined ? 'body.number' : 'body.into'
    const named =
      into === undefined
        ? await queries.findByNumber(tx, organizationId, item.projectId, number ?? 0)
        : await queries.findById(tx, organizationId, into)
    if (!named) throw invalid(field, 'is not an item of this project')
    if (named.id === item.id) throw invalid(field, 'must be another item')
    if (named.projectId !== item.projectId) throw invalid(field, 'must be an item of the same project')
    if (named.mergedInto === item.id) {
      throw invalid(field, `is merged into this item; take #${named.number} out first`)
    }
    const top = named.mergedInto === null ? named : await getItem(tx, organizationId, named.mergedInto)
    if (named.isInTrash || top.isInTrash) throw new ProductError('item_in_trash')
    return top
  }

  /** Items have other duplicates. Those that moved are recorded by a trigger, in the same event. */
  async function recordDuplicates(tx: TenantTx, organizationId: string, targets: readonly (string | null)[]) {
    const ids = targets.filter((each) => each !== null)
    await recordEvent(tx, { organizationId, name: 'feedback.updated', ids, payload: { fields: ['duplicates'] } })
  }

  return {
    async listSimilar(actor, organizationId, id) {
      const items = await database.withTenant(actor, (tx) => findSimilar(tx, organizationId, id, maxSimilar))
      if (!items) throw new ProductError('feedback_not_found')
      return items
    },

    async merge(actor, organizationId, givenId, target) {
      const id = givenId.toLowerCase()
      await database.withTenant(actor, async (tx) => {
        await queries.waitForMerges(tx, organizationId)
        const item = await getItem(tx, organizationId, id)
        const top = await getTarget(tx, organizationId, item, target)
        if (item.isInTrash) throw new ProductError('item_in_trash')
        const moved = await queries.moveUnder(tx, organizationId, [id], top.id)
        if (moved.length > 0) await recordDuplicates(tx, organizationId, [top.id, item.mergedInto])
      })
      return feedback.get(actor, organizationId, id)
    },

    async unmerge(actor, organizationId, givenId, { take = [] }) {
      const id = givenId.toLowerCase()
      await database.withTenant(actor, async (tx) => {
        await queries.waitForMerges(tx, organizationId)
        const { mergedInto } = await getItem(tx, organizationId, id)
        if (mergedInto === null) return
        await queries.takeOut(tx, organizationId, id)
        await queries.takeAlong(tx, organizationId, { id, from: mergedInto, ids: take })
        await recordDuplicates(tx, organizationId, [id, mergedInto])
      })
      return feedback.get(actor, organizationId, id)
    },
  }
}
