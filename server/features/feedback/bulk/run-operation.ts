import { setTimeout as pause } from 'node:timers/promises'
import type { BulkChange } from '#contract/bulk.ts'
import { actFor } from '#server/platform/database/actor.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { readErrorCode } from '#server/platform/read-error.ts'
import { changeItems, countAssigned, restoreItems } from './items.queries.ts'
import { enqueueOperation, failOperation, lockOperation, recordStep } from './operations.queries.ts'

/** Identifies a bulk change. */
interface OperationKey {
  readonly organizationId: string
  readonly operationId: string
}

// Small enough for short row locks, large enough to repay the round trip.
const stepItems = 500
// Lets other jobs have their turn, and bounds the wait of a server that stops.
const turnMs = 5_000
/** Above this, open inboxes reload their list: a NOTIFY has 8,000 bytes, which is no more ids. */
const maxNamedIds = 150

/**
 * Processes the next items of a change or of its undo. The step and its progress are one transaction, so that retries
 * never repeat a step.
 *
 * @returns undefined when the actor lost access to the change, or it does not exist.
 */
export async function runStep(
  tx: TenantTx,
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
      await recordAssignment(tx, { organizationId, operationId }, change)
      await recordEnd(tx, { organizationId, operationId }, 'done')
    }
    return { touchedIds: changedIds, isOver: isLast }
  }
  if (state === 'undoing') {
    const { restoredIds, kept } = await restoreItems(tx, batch, change)
    const progress = { processed: 0, changed: 0, undoProcessed: itemIds.length, kept }
    await recordStep(tx, organizationId, operationId, { state: isLast ? 'undone' : state, ...progress })
    if (isLast) await recordEnd(tx, { organizationId, operationId }, 'undone')
    return { touchedIds: restoredIds, isOver: isLast }
  }
  return { touchedIds: [], isOver: true }
}

/** One event for all items that the change assigned to a member. */
async function recordAssignment(tx: TenantTx, key: OperationKey, change: BulkChange): Promise<void> {
  const { organizationId, operationId } = key
  const assigneeUserId = change.assigneeId?.toLowerCase()
  if (!assigneeUserId) return
  const given = await countAssigned(tx, { organizationId, operationId, assigneeId: assigneeUserId })
  if (!given) return
  const { feedbackId, itemCount } = given
  const payload = { assigneeUserId, itemCount }
  await recordEvent(tx, { organizationId, name: 'feedback.assigned', ids: [feedbackId], payload })
}

async function recordEnd(
  tx: TenantTx | SystemTx,
  { organizationId, operationId }: OperationKey,
  state: 'done' | 'undone' | 'failed',
  actorUserId: string | null = null,
): Promise<void> {
  const payload = { state }
  const event = { organizationId, name: 'feedback.operation_ended', ids: [operationId], payload } as const
  await recordEvent(tx, { ...event, actorUserId, announced: 'never' })
}

/** Sends open inboxes one change notice for many changes, whose events are not announced one by one. */
export async function announceChanged(
  on: TenantTx | Database,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await sendLiveMessage(on, organizationId, { kind: 'feedback.updated', ids: ids.length > maxNamedIds ? [] : ids })
}

/**
 * One turn of a change that is too large for one request, as the member who requested it. Committed steps stay, so the
 * next turn continues after them, also after a crash.
 */
export async function takeTurn(database: Database, actorUserId: string, key: OperationKey): Promise<void> {
  const { organizationId, operationId } = key
  const actor = actFor(actorUserId, organizationId)
  const endsAt = performance.now() + turnMs
  const touchedIds: string[] = []
  let isOver = false
  while (!isOver) {
    const mayGoOn = performance.now() < endsAt
    const step = await retryCollisions(() =>
      database.withTenant(actor, async (tx) => {
        const done = await runStep(tx, key, stepItems)
        if (done && !done.isOver && !mayGoOn) await enqueueOperation(tx, key)
        return done
      }),
    )
    if (!step) {
      await database.asSystem('its author may see it no more', async (tx) => {
        await failOperation(tx, organizationId, operationId)
        await recordEnd(tx, key, 'failed', actorUserId)
      })
      break
    }
    if (touchedIds.length <= maxNamedIds) touchedIds.push(...step.touchedIds)
    isOver = step.isOver || !mayGoOn
  }
  // A turn after a crash does not know which items the last one changed, and every change needs a notice.
  await announceChanged(database, organizationId, touchedIds)
}

// Deadlock, or a reference that was deleted meanwhile: a retry reads the current rows.
const collisions = new Set(['40P01', '40001', '23503'])
const tries = 3

/** Retries after a collision with another writer. */
export async function retryCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const code = readErrorCode(error)
      if (attempt === tries || code === undefined || !collisions.has(code)) throw error
      await pause(20 * attempt + Math.random() * 50)
    }
  }
}
