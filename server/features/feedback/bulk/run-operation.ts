import { setTimeout as pause } from 'node:timers/promises'
import type { BulkChange } from '#contract/triage.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { noteManyChanged } from '../../analytics/analytics.service.ts'
import { recordNotices } from '../../notifications/notifications.service.ts'
import { announceFeedback } from '../feedback.queries.ts'
import { idsPerNotice, toChangedNotice } from '../notice.ts'
import { changeItems, countAssigned, restoreItems } from './items.queries.ts'
import { enqueueOperation, failOperation, lockOperation, recordStep } from './operations.queries.ts'

/** A change of many items, by its place. */
interface OperationKey {
  readonly organizationId: string
  readonly operationId: string
}

// Few enough that nobody waits long for a row; many enough that the way there is worth it.
const stepItems = 500
// Then others in the queue have their turn, and a server that stops waits no longer than this.
const turnMs = 5_000

/**
 * The next items of a change or of its undoing. That, and how far it is, is one transaction: a step is done or it is not,
 * however often it is tried.
 *
 * @returns undefined when the actor may not see the change any more, or there is none.
 */
export async function runStep(
  tx: TenantTx,
  actor: Actor,
  { organizationId, operationId }: OperationKey,
  limit: number,
): Promise<{ touchedIds: readonly string[]; isOver: boolean } | undefined> {
  const step = await lockOperation(tx, organizationId, operationId, limit)
  if (!step) return undefined
  const { state, change, itemIds, isLast } = step
  const batch = { organizationId, operationId, itemIds }
  if (state === 'running') {
    const changedIds = await changeItems(tx, batch, change)
    const progress = { processed: itemIds.length, changed: changedIds.length, undoProcessed: 0, kept: 0 }
    await recordStep(tx, organizationId, operationId, { state: isLast ? 'done' : state, ...progress })
    if (isLast) {
      await tellAssignee(tx, actor, { organizationId, operationId }, change)
      await noteManyChanged(tx)
    }
    return { touchedIds: changedIds, isOver: isLast }
  }
  if (state === 'undoing') {
    const { restoredIds, kept } = await restoreItems(tx, batch, change)
    const progress = { processed: 0, changed: 0, undoProcessed: itemIds.length, kept }
    await recordStep(tx, organizationId, operationId, { state: isLast ? 'undone' : state, ...progress })
    if (isLast) await noteManyChanged(tx)
    return { touchedIds: restoredIds, isOver: isLast }
  }
  return { touchedIds: [], isOver: true }
}

/** One notice for all that they were given, however many. */
async function tellAssignee(tx: TenantTx, actor: Actor, key: OperationKey, change: BulkChange): Promise<void> {
  const { organizationId, operationId } = key
  const userId = change.assigneeId?.toLowerCase()
  if (!userId) return
  const given = await countAssigned(tx, { organizationId, operationId, assigneeId: userId })
  if (!given) return
  const { feedbackId, itemCount } = given
  const notice = { userId, kind: 'assigned', feedbackId, itemCount, actorUserId: actor.userId } as const
  await recordNotices(tx, organizationId, [notice])
}

/**
 * One turn of a change that is too large for one request, as the member who asked for it. What was committed stays, so
 * whoever takes the next turn, after a crash too, goes on where the last one ended.
 */
export async function takeTurn(database: Database, actorUserId: string, key: OperationKey): Promise<void> {
  const { organizationId, operationId } = key
  const actor = toActor(actorUserId, organizationId)
  const endsAt = performance.now() + turnMs
  const touchedIds: string[] = []
  let isOver = false
  while (!isOver) {
    const mayGoOn = performance.now() < endsAt
    const step = await retryCollisions(() =>
      database.withTenant(actor, async (tx) => {
        const done = await runStep(tx, actor, key, stepItems)
        if (done && !done.isOver && !mayGoOn) await enqueueOperation(tx, { ...key, actorUserId })
        return done
      }),
    )
    if (!step) {
      await database.asSystem('its author may see it no more', async (tx) => {
        await failOperation(tx, organizationId, operationId)
        await noteManyChanged(tx)
      })
      break
    }
    if (touchedIds.length <= idsPerNotice) touchedIds.push(...step.touchedIds)
    isOver = step.isOver || !mayGoOn
  }
  // A turn after a crash does not know what the last one did, and nothing that was changed is to go unseen.
  await announceFeedback(database, [toChangedNotice(organizationId, touchedIds)])
}

/** The member, as far as the database must know: what they may see is asked anew in each transaction. */
function toActor(userId: string, organizationId: string): Actor {
  return { userId, organizationId, sessionId: '', email: '', claims: { role: 'authenticated' } }
}

// Deadlock, a reference that went away meanwhile: the same again finds things as they are now.
const collisions = new Set(['40P01', '40001', '23503'])
const tries = 3

/** Does what collided with somebody else's change once more. */
export async function retryCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const code = (error as { code?: unknown }).code
      if (attempt === tries || typeof code !== 'string' || !collisions.has(code)) throw error
      await pause(20 * attempt + Math.random() * 50)
    }
  }
}
