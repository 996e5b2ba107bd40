import type { IssueMapping, IssueStage } from './issue-mapping.ts'
import type { TrackerStatus } from './issue-preview.ts'

/** Where an issue goes when its item reaches a stage. */
export interface Aim {
  /** The tracker's own stage of the status. */
  readonly stage: IssueStage
  /** Undefined: the tracker's first of the stage. */
  readonly statusId: string | undefined
  /** What the issue counts as afterwards. */
  readonly becomes: IssueStage
  /** Whether an issue with this status, in stages that count here, is there already. */
  isReached(status: TrackerStatus): boolean
}

/** How stages of items become statuses of a tracker's issues, and back. */
export interface StageMap {
  /** The stage that a status counts as. */
  count(status: TrackerStatus): IssueStage
  /** Whether an issue in that stage leaves an item of that stage as it is. */
  stands(item: IssueStage, issue: IssueStage): boolean
  /** @param statuses all that an issue can have, in the tracker's order, as the tracker classifies them. */
  aim(stage: IssueStage, statuses: readonly TrackerStatus[]): Aim
  /** False: `aim` needs no statuses, which are asked for over the network. */
  readonly needsStatuses: boolean
}

/**
 * Reads an owner's mapping.
 *
 * @param known stages that the tracker tells apart.
 */
export function createStageMap(
  { statuses: wanted = {}, stages = [] }: IssueMapping,
  known: readonly IssueStage[],
): StageMap {
  const overrides = new Map(stages.map(({ statusId, stage }) => [statusId, stage]))
  const count = ({ id, stage }: TrackerStatus) => overrides.get(id) ?? stage
  const reachable = [...known, ...overrides.values()]
  return {
    count,
    needsStatuses: overrides.size > 0 || Object.keys(wanted).length > 0,
    stands: (item, issue) => item === issue || (wanted[item] === undefined && narrow(item, reachable) === issue),
    aim: (stage, statuses) => {
      const own = narrow(stage, known)
      const named = statuses.find(({ id }) => id === wanted[stage])
      if (named) return toAim(named, count(named), ({ id }) => id === named.id)
      const counted = narrow(stage, statuses.map(count))
      // Rather one of the tracker's own than one that an owner counts so: that is a step on the way there.
      const first =
        statuses.find((status) => count(status) === counted && status.stage === counted) ??
        statuses.find((status) => count(status) === counted) ??
        statuses.find((status) => status.stage === own)
      if (!first) return { stage: own, statusId: undefined, becomes: own, isReached: (status) => status.stage === own }
      const becomes = count(first)
      return toAim(first, becomes, (status) => status.stage === becomes)
    },
  }
}

function toAim({ id, stage }: TrackerStatus, becomes: IssueStage, isReached: Aim['isReached']): Aim {
  return { stage, statusId: id, becomes, isReached }
}

/** The known stage that an item's stage counts as. */
function narrow(stage: IssueStage, known: readonly IssueStage[]): IssueStage {
  if (known.includes(stage)) return stage
  return stage === 'dropped' ? 'done' : 'todo'
}
