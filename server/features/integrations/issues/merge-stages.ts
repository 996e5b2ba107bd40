import { type IssueStage, issueStages } from '#contract/issue-mapping.ts'

/** Steps of work that all trackers have. */
export const stages = issueStages
export type Stage = IssueStage

/** What makes both sides alike. */
export type Merged = 'none' | 'change_item' | 'change_issue'

/**
 * Compares each side with what it was when both were last alike: the one that differs has changed since. Times are not
 * looked at, so clocks, delays and the order of events don't matter. The two need not be in the same stage to be alike: an
 * owner's mapping can give two stages one status.
 *
 * If both have changed, the issue counts: that is where the work is done. The item's history keeps what it was.
 *
 * @param sides.agreed the issue's stage then; null: they have never been compared, because an existing issue was linked.
 * @param sides.agreedItem the item's stage then; null: the issue was just created.
 * @param sides.intended what the issue was to become, by a run that may have broken off after it did.
 * @param sides.stands whether an issue in that stage leaves an item of that stage as it is.
 */
export function mergeStages({
  agreed,
  agreedItem,
  intended,
  item,
  issue,
  stands,
}: {
  agreed: Stage | null
  agreedItem: Stage | null
  intended: Stage | null
  item: Stage
  issue: Stage
  stands: (item: Stage, issue: Stage) => boolean
}): Merged {
  if (issue === agreed) return item === agreedItem ? 'none' : 'change_issue'
  if (stands(item, issue)) return 'none'
  return issue === intended ? 'change_issue' : 'change_item'
}
