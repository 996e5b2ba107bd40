import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { sweepVisitors } from '../visitors/note-visitors.queries.ts'
import {
  enqueueEmptyTrash,
  listTrash,
  namedTrash,
  oldItems,
  projectItems,
  removeFeedback,
  trashedItems,
} from './remove-feedback.queries.ts'

/*
 * Permanent removal of feedback, a few hundred items at a time. Each batch has its own transaction, so that locks are
 * short and an interrupted run continues after its last batch.
 */

const batchSize = 500
const answerWithinMs = 3_000

export interface Sum {
  readonly items: number
  readonly files: number
}

/** Removes all feedback of a deleted project. */
export async function removeProjectFeedback(
  database: Database,
  project: { organizationId: string; projectId: string },
): Promise<Sum> {
  let sum: Sum = { items: 0, files: 0 }
  for (let after = 0; ; ) {
    const from = after
    const [removed] = await database.asSystem('a deleted project goes with what it held', (tx) =>
      removeFeedback(tx, projectItems(project, from, batchSize), { withDuplicates: false }),
    )
    if (!removed) return sum
    sum = addUp([sum, removed])
    after = removed.lastNumber
  }
}

/** Removes a project's items created before a time, in any location. Their duplicates are unmerged. */
export async function removeOldFeedback(
  database: Database,
  project: { organizationId: string; projectId: string },
  before: Date,
): Promise<Sum> {
  let sum: Sum = { items: 0, files: 0 }
  for (;;) {
    const [removed] = await database.asSystem('a project keeps feedback for so many days only', (tx) =>
      removeFeedback(tx, oldItems(project, before, batchSize), { withDuplicates: false }),
    )
    if (!removed) return sum
    sum = addUp([sum, removed])
  }
}

/** Removes items deleted before a time, and their duplicates, in one or all organisations. @returns by organisation. */
export async function removeTrash(
  database: Database,
  before: Date,
  organizationId?: string,
): Promise<ReadonlyMap<string, Sum>> {
  const sums = new Map<string, Sum>()
  for (;;) {
    const removed = await database.asSystem('trash is emptied', (tx) =>
      removeFeedback(tx, trashedItems(organizationId, before, batchSize), { withDuplicates: true }),
    )
    if (removed.length === 0) return sums
    for (const [id, own] of Map.groupBy(removed, (each) => each.organizationId)) {
      sums.set(id, addUp([sums.get(id) ?? { items: 0, files: 0 }, ...own]))
    }
  }
}

/** Removes visitors without items. */
export async function removeForgottenVisitors(database: Database): Promise<void> {
  let after: { organizationId: string; key: string } | undefined
  do {
    const from = after
    after = await database.asSystem('visitors without feedback, of every organisation', (tx) => sweepVisitors(tx, from))
  } while (after)
}

export interface Trash {
  /**
   * Permanently removes items in the trash: all, or the given ones. A job finishes what exceeds the time of a response.
   *
   * @param ids items in the trash; items in other locations are ignored.
   */
  empty(
    actor: Actor,
    organizationId: string,
    ids: readonly string[] | undefined,
  ): Promise<{ removed: number; isComplete: boolean }>
}

export function createTrash(database: Database): Trash {
  return {
    empty: async (actor, organizationId, ids) => {
      const startedAtMs = performance.now()
      const before = new Date()
      let sum: Sum = { items: 0, files: 0 }
      let isComplete = false
      while (!isComplete && performance.now() - startedAtMs < answerWithinMs) {
        // Only items that row-level security shows the caller.
        const doomed = await database.withTenant(actor, (tx) =>
          listTrash(tx, organizationId, { ids, before, limit: batchSize }),
        )
        isComplete = doomed.length < batchSize
        if (doomed.length === 0) break
        const removed = await database.asSystem('items that the caller sees in the trash', async (tx) => {
          const deletion = { organizationId, name: 'feedback.deleted', ids: doomed, payload: {} } as const
          await recordEvent(tx, { ...deletion, actorUserId: actor.userId })
          return removeFeedback(tx, namedTrash(organizationId, doomed), { withDuplicates: true })
        })
        sum = addUp([sum, ...removed])
      }
      await database.asSystem('what was removed is noted', async (tx) => {
        const by = { organizationId, actorUserId: actor.userId }
        if (sum.items > 0) await recordEmptyTrash(tx, by, sum)
        if (!isComplete) await enqueueEmptyTrash(tx, { ...by, before: before.toISOString() })
      })
      return { removed: sum.items, isComplete }
    },
  }
}

/** Records that a member emptied the trash, and how much it was. */
export function recordEmptyTrash(
  tx: SystemTx,
  { organizationId, actorUserId }: { organizationId: string; actorUserId: string },
  { items, files }: Sum,
): Promise<void> {
  const event = { organizationId, name: 'feedback.trash_emptied', ids: [organizationId], actorUserId } as const
  return recordEvent(tx, { ...event, payload: { items, files }, announced: 'never' })
}

export function addUp(sums: readonly Sum[]): Sum {
  return {
    items: sums.reduce((total, each) => total + each.items, 0),
    files: sums.reduce((total, each) => total + each.files, 0),
  }
}
