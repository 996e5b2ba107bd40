import type { BulkChange, BulkOperation, NewBulkOperation } from '#contract/bulk.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { holdMember } from '../feedback.queries.ts'
import { checkSnooze } from '../snooze.ts'
import { trimTags } from '../tags.ts'
import { beginUndo, enqueueOperation, findOperation, insertOperation } from './operations.queries.ts'
import { announceChanged, retryCollisions, runStep } from './run-operation.ts'
import { selectItems } from './selected.queries.ts'

/** So many are changed before the answer: it takes less time than a person notices. */
const inlineItems = 500

export interface BulkOperations {
  /**
   * Changes many items. The same again gives the same answer and changes nothing.
   *
   * @throws ProductError `validation_failed`, `member_not_found`, `id_reused`.
   */
  start(
    actor: Actor,
    organizationId: string,
    request: NewBulkOperation,
  ): Promise<{ operation: BulkOperation; isNew: boolean }>
  /** The caller's own. @throws ProductError `operation_not_found`. */
  get(actor: Actor, organizationId: string, id: string): Promise<BulkOperation>
  /** Stops the caller's own where it still runs, and puts back what it changed. @throws ProductError `operation_not_found`. */
  undo(actor: Actor, organizationId: string, id: string): Promise<BulkOperation>
}

export function createBulkOperations(database: Database): BulkOperations {
  async function getOperation(tx: TenantTx, organizationId: string, id: string): Promise<BulkOperation> {
    const found = await findOperation(tx, organizationId, id)
    if (!found) throw new ProductError('operation_not_found')
    return found.operation
  }

  /** All of it now where it is little; otherwise by a job. */
  async function carryOut(tx: TenantTx, organizationId: string, id: string): Promise<BulkOperation> {
    const operation = await getOperation(tx, organizationId, id)
    if (operation.total > inlineItems) {
      await enqueueOperation(tx, { organizationId, operationId: id })
      return operation
    }
    const step = await runStep(tx, { organizationId, operationId: id }, inlineItems)
    if (step && step.touchedIds.length > 0) await announceChanged(tx, organizationId, step.touchedIds)
    return getOperation(tx, organizationId, id)
  }

  return {
    start: (actor, organizationId, { id: givenId, ids, selection, change: asked }) => {
      const id = givenId.toLowerCase()
      if (ids === undefined && selection === undefined) {
        throw invalid('body.ids', 'must be given, or else body.selection')
      }
      const change = checkChange(asked)
      const request = { ids, selection, change: asked }
      return retryCollisions(() =>
        database.withTenant(actor, async (tx) => {
          const { assigneeId } = change
          if (assigneeId && !(await holdMember(tx, organizationId, assigneeId)))
            throw new ProductError('member_not_found')
          const itemIds = await selectItems(tx, organizationId, ids, selection)
          const operation = { organizationId, id, actorUserId: actor.userId, request, change, itemIds }
          if (await insertOperation(tx, operation)) {
            return { operation: await carryOut(tx, organizationId, id), isNew: true }
          }
          const earlier = await findOperation(tx, organizationId, id, request)
          if (!earlier?.isSame) throw new ProductError('id_reused')
          return { operation: earlier.operation, isNew: false }
        }),
      )
    },

    get: (actor, organizationId, id) => database.withTenant(actor, (tx) => getOperation(tx, organizationId, id)),

    undo: (actor, organizationId, id) =>
      retryCollisions(() =>
        database.withTenant(actor, async (tx) => {
          const hasBegun = await beginUndo(tx, organizationId, id)
          return hasBegun ? carryOut(tx, organizationId, id) : getOperation(tx, organizationId, id)
        }),
      ),
  }
}

function checkChange(change: BulkChange): BulkChange {
  if (change.closedReason !== undefined && change.status !== 'closed') {
    throw invalid('body.change.closedReason', 'needs the status closed')
  }
  checkSnooze(change.snoozedUntil, 'body.change.snoozedUntil')
  const { addTags, removeTags } = change
  return {
    ...change,
    ...(addTags && { addTags: trimTags(addTags, 'body.change.addTags') }),
    ...(removeTags && { removeTags: trimTags(removeTags, 'body.change.removeTags') }),
  }
}
