import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { notifyFeedbackChanged } from './feedback.queries.ts'
import { toNotice } from './notice.ts'
import {
  auditRemoval,
  enqueueEmptyTrash,
  findOldNumbers,
  listTrash,
  namedTrash,
  oldItems,
  projectItems,
  type Removed,
  removeFeedback,
  trashedItems,
} from './retention/remove-feedback.queries.ts'
import { sweepVisitors } from './visitors/note-visitors.queries.ts'

/*
 * Feedback that goes for good. A few hundred at a time, each batch in a transaction of its own, so that nobody waits
 * for long; whatever stops halfway goes on where it was.
 */

const batchSize = 500
// A notice holds at most 8,000 bytes; an id takes 39.
const idsPerNotice = 150
const answerWithinMs = 3_000

export interface Sum {
  readonly items: number
  readonly files: number
}

/** Removes all feedback of a project that nobody sees any more. */
export function removeProjectFeedback(
  database: Database,
  project: { organizationId: string; projectId: string },
): Promise<Sum> {
  return removeByNumber(0, (after) =>
    database.asSystem('a deleted project goes with what it held', (tx) =>
      removeFeedback(tx, projectItems(project, after, batchSize), { withDuplicates: false }),
    ),
  )
}

/** Removes what came to a project before a time, wherever it lies. What was merged into it stands for itself again. */
export async function removeOldFeedback(
  database: Database,
  project: { organizationId: string; projectId: string },
  before: Date,
): Promise<Sum> {
  const why = 'a project keeps feedback for so many days only'
  const numbers = await database.asSystem(why, (tx) => findOldNumbers(tx, project, before))
  if (!numbers) return { items: 0, files: 0 }
  const { first, last } = numbers
  return removeByNumber(first - 1, (after) =>
    database.asSystem(why, (tx) =>
      removeFeedback(tx, oldItems(project, { before, after, last }, batchSize), { withDuplicates: false }),
    ),
  )
}

async function removeByNumber(from: number, removeBatch: (after: number) => Promise<Removed[]>): Promise<Sum> {
  let sum: Sum = { items: 0, files: 0 }
  for (let after = from; ; ) {
    const [removed] = await removeBatch(after)
    if (!removed) return sum
    sum = addUp([sum, removed])
    after = removed.lastNumber
  }
}

/** Removes what was thrown away before a time, with its duplicates, in one organisation or in all. @returns by organisation. */
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

/** Removes visitors of whom nothing is left. */
export async function removeForgottenVisitors(database: Database): Promise<void> {
  let after: { organizationId: string; key: string } | undefined
  do {
    const from = after
    after = await database.asSystem('visitors without feedback, of every organisation', (tx) => sweepVisitors(tx, from))
  } while (after)
}

export interface Trash {
  /**
   * Removes for good what lies in the trash: all of it, or the given items. What takes longer than an answer may is
   * finished by a job.
   *
   * @param ids items in the trash; others among them are left as they are.
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
        // What row-level security shows the caller, and nothing else.
        const doomed = await database.withTenant(actor, (tx) =>
          listTrash(tx, organizationId, { ids, before, limit: batchSize }),
        )
        isComplete = doomed.length < batchSize
        if (doomed.length === 0) break
        const removed = await database.asSystem('items that the caller sees in the trash', async (tx) => {
          for (let start = 0; start < doomed.length; start += idsPerNotice) {
            const notice = { kind: 'feedback.updated', ids: doomed.slice(start, start + idsPerNotice) } as const
            await notifyFeedbackChanged(tx, toNotice(organizationId, notice))
          }
          return removeFeedback(tx, namedTrash(organizationId, doomed), { withDuplicates: true })
        })
        sum = addUp([sum, ...removed])
      }
      await database.asSystem('what was removed is noted', async (tx) => {
        const by = { organizationId, actorUserId: actor.userId }
        if (sum.items > 0) await auditRemoval(tx, { ...by, action: 'trash.emptied', details: { ...sum } })
        if (!isComplete) await enqueueEmptyTrash(tx, { ...by, before: before.toISOString() })
      })
      return { removed: sum.items, isComplete }
    },
  }
}

export function addUp(sums: readonly Sum[]): Sum {
  return {
    items: sums.reduce((total, each) => total + each.items, 0),
    files: sums.reduce((total, each) => total + each.files, 0),
  }
}
