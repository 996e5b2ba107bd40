import type { Chance } from './chance.ts'
import { dayMs } from './choose-time.ts'
import type { DemoComment } from './comment-on-item.ts'
import type { DemoWork } from './work-on-item.ts'

/** An item's assignee, archive and trash state. */
export interface DemoRest {
  readonly archivedAt: Date | null
  readonly deletedAt: Date | null
  readonly assigneeUserId: string | null
  readonly firstResponseAt: Date | null
}

/** Decides an item's assignee, the time of its first reply, and whether it was archived or deleted since. */
export function putAway(
  chance: Chance,
  { createdAt, isSpam }: { createdAt: Date; isSpam: boolean },
  work: DemoWork,
  comments: readonly DemoComment[],
  now: Date,
): DemoRest {
  const lastActor = work.events.at(-1)?.actorUserId
  const ageDays = (now.getTime() - createdAt.getTime()) / dayMs
  const isDone = work.resolvedAt !== null
  const putAwayAt = new Date(work.updatedAt.getTime() + chance.between(1, 20) * dayMs)
  // Closed items are archived after a while; so are items untouched for months.
  const isArchived = !isSpam && ageDays > 40 && chance.happens(isDone ? 0.75 : ageDays > 120 ? 0.93 : 0.2)
  // No item of today is in the trash.
  const isDeleted = !isSpam && ageDays > 1 && ageDays < 25 && chance.happens(0.03)
  return {
    archivedAt: isArchived && putAwayAt < now ? putAwayAt : null,
    deletedAt: isDeleted ? new Date(Math.min(now.getTime() - 60_000, work.updatedAt.getTime() + dayMs / 4)) : null,
    assigneeUserId: lastActor !== undefined && chance.happens(0.8) ? lastActor : null,
    firstResponseAt: comments.find(({ kind }) => kind === 'reply')?.at ?? null,
  }
}
