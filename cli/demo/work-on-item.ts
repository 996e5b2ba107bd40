import type { closedReasons, FeedbackPriority, FeedbackStatus, FeedbackType } from '#contract/feedback.ts'
import type { Chance } from './chance.ts'
import { chooseWorkTime } from './choose-time.ts'

type ClosedReason = (typeof closedReasons)[number]

/** One entry of an item's history. */
export interface DemoEvent {
  readonly field: 'status' | 'closed_reason' | 'priority'
  readonly from: string | null
  readonly to: string | null
  readonly at: Date
  readonly actorUserId: string
}

/** The team's changes to an item until now. */
export interface DemoWork {
  status: FeedbackStatus
  closedReason: ClosedReason | null
  priority: FeedbackPriority
  firstViewedAt: Date | null
  resolvedAt: Date | null
  updatedAt: Date
  version: number
  readonly events: DemoEvent[]
}

// Time factor for items of the last hour: four minutes for an hour.
const watchedHourMs = 4 * 60_000

interface Step {
  readonly afterHours: number
  readonly status?: FeedbackStatus
  readonly closedReason?: ClosedReason
  readonly priority?: FeedbackPriority
}

interface Item {
  readonly type: FeedbackType
  readonly createdAt: Date
  readonly isOutage: boolean
  /** Untouched spam. */
  readonly isSpam: boolean
  /** A member has the inbox open when it arrives, at any hour. */
  readonly isWatched: boolean
}

/**
 * Simulates a team's work on an item: viewing, sorting, work, closing and sometimes reopening, in office hours. Steps
 * after `now` are left out.
 *
 * @param actors members by their share of the work
 */
export function workOnItem(
  chance: Chance,
  item: Item,
  actors: readonly (readonly [userId: string, share: number])[],
  now: Date,
): DemoWork {
  const work: DemoWork = {
    status: 'new',
    closedReason: null,
    priority: 'none',
    firstViewedAt: null,
    resolvedAt: null,
    updatedAt: item.createdAt,
    version: 1,
    events: [],
  }
  const choose = (after: Date, delayHours: number) =>
    item.isWatched
      ? new Date(after.getTime() + Math.min(delayHours, 12) * watchedHourMs)
      : chooseWorkTime(chance, after, delayHours)
  if (item.isSpam) return work
  const viewedAt = choose(item.createdAt, item.isOutage ? 0.1 : chance.between(2, 180) / 10)
  if (viewedAt > now) return work
  work.firstViewedAt = viewedAt
  let at = viewedAt
  let actor = chance.weigh(actors)
  for (const step of planSteps(chance, item)) {
    at = choose(at, step.afterHours)
    if (at > now) break
    // The member who began mostly continues.
    if (chance.happens(0.3)) actor = chance.weigh(actors)
    applyStep(work, step, at, actor)
  }
  return work
}

/** Applies a change as the database's triggers would, at another time: see db/functions/feedback.sql. */
function applyStep(work: DemoWork, step: Step, at: Date, actorUserId: string): void {
  const status = step.status ?? work.status
  const closedReason = status === 'closed' ? (step.closedReason ?? work.closedReason) : null
  const priority = step.priority ?? work.priority
  const changes = [
    ['status', work.status, status],
    ['closed_reason', work.closedReason, closedReason],
    ['priority', work.priority, priority],
  ] as const
  const events = changes
    .filter(([, from, to]) => from !== to)
    .map(([field, from, to]) => ({ field, from, to, at, actorUserId }))
  if (events.length === 0) return
  const isDone = status === 'resolved' || status === 'closed'
  work.events.push(...events)
  work.resolvedAt = isDone ? (work.resolvedAt ?? at) : null
  work.updatedAt = at
  work.version += 1
  Object.assign(work, { status, closedReason, priority })
}

function planSteps(chance: Chance, { type, isOutage }: Item): Step[] {
  if (isOutage) {
    return [
      { afterHours: 0.1, status: 'open', priority: 'urgent' },
      { afterHours: 0.4, status: 'in_progress' },
      { afterHours: chance.between(20, 30) / 10, status: 'resolved' },
    ]
  }
  // Some are read and left for later.
  if (chance.happens(0.07)) return []
  switch (type) {
    case 'bug':
      return planBug(chance)
    case 'idea':
      return planIdea(chance)
    case 'question':
      return [
        { afterHours: 0.2, status: 'open', priority: pickPriority(chance, 55, 25, 15, 5) },
        ...(chance.happens(0.85) ? [{ afterHours: chance.between(5, 400) / 10, status: 'resolved' } as const] : []),
      ]
    case 'praise':
      return [{ afterHours: chance.between(0, 30) / 10, status: chance.happens(0.8) ? 'resolved' : 'open' }]
    default:
      return [
        { afterHours: 0.3, status: 'open', priority: pickPriority(chance, 70, 22, 8, 0) },
        ...(chance.happens(0.7) ? [{ afterHours: chance.between(1, 6) * 10, status: 'closed' } as const] : []),
      ]
  }
}

function planBug(chance: Chance): Step[] {
  const priority = chance.weigh<FeedbackPriority>([
    ['low', 22],
    ['medium', 42],
    ['high', 27],
    ['urgent', 9],
  ])
  const isPressing = priority === 'high' || priority === 'urgent'
  const steps: Step[] = [{ afterHours: 0.2, status: 'open', priority }]
  if (chance.happens(0.18)) {
    const closedReason = chance.weigh<ClosedReason>([
      ['duplicate', 5],
      ['not_reproducible', 4],
      ['wont_fix', 1],
    ])
    return [...steps, { afterHours: chance.between(3, 120), status: 'closed', closedReason }]
  }
  if (!isPressing && chance.happens(0.2)) return steps
  steps.push({ afterHours: chance.between(1, isPressing ? 20 : 160), status: 'in_progress' })
  if (chance.happens(0.12)) steps.push({ afterHours: chance.between(2, 30), priority: isPressing ? 'medium' : 'high' })
  if (chance.happens(0.08)) return steps
  steps.push({ afterHours: chance.between(4, isPressing ? 60 : 260), status: 'resolved' })
  if (chance.happens(0.07)) {
    steps.push({ afterHours: chance.between(20, 90), status: 'open' })
    steps.push({ afterHours: chance.between(10, 70), status: 'resolved' })
  }
  return steps
}

function planIdea(chance: Chance): Step[] {
  const steps: Step[] = [{ afterHours: 0.4, status: 'open', priority: pickPriority(chance, 30, 42, 22, 6) }]
  const fate = chance.weigh([
    ['wait', 45],
    ['build', 30],
    ['refuse', 15],
    ['known', 10],
  ])
  if (fate === 'refuse') steps.push({ afterHours: chance.between(10, 300), status: 'closed', closedReason: 'wont_fix' })
  if (fate === 'known') steps.push({ afterHours: chance.between(1, 60), status: 'closed', closedReason: 'duplicate' })
  if (fate === 'build') {
    steps.push({ afterHours: chance.between(48, 400), status: 'in_progress' })
    steps.push({ afterHours: chance.between(100, 700), status: 'resolved' })
  }
  return steps
}

function pickPriority(chance: Chance, none: number, low: number, medium: number, high: number): FeedbackPriority {
  return chance.weigh<FeedbackPriority>([
    ['none', none],
    ['low', low],
    ['medium', medium],
    ['high', high],
  ])
}
