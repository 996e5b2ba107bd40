import { joinLines } from '#contract/escape-markdown.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import type { DeliveredItem } from '../../feedback/delivered-items.service.ts'
import { fitText } from '../fit-text.ts'
import type { IssueDraft, IssueField } from './tracker.ts'

/** Of GitHub; those of the other trackers are longer. */
const maxLabelLength = 50

/** What an issue carries beside its text, as its owner has mapped it. Of that, a tracker gets only what it takes. */
export function writeFields(
  item: Pick<DeliveredItem, 'type' | 'priority' | 'tags' | 'projectName'>,
  { labels, priority, assignee }: IssueMapping,
  { takes, assigneeEmail }: { takes: readonly IssueField[]; assigneeEmail: string | null },
): Pick<IssueDraft, 'labels' | 'priority' | 'assigneeEmail'> {
  const isPriorityTaken = priority === true && takes.includes('priority') && item.priority !== 'none'
  return {
    labels: takes.includes('labels') ? listLabels(item, labels ?? {}) : [],
    priority: isPriorityTaken ? item.priority : null,
    assigneeEmail: assignee === true && takes.includes('assignee') ? assigneeEmail : null,
  }
}

/** Each once: a tag may be called like the project. */
function listLabels(
  { type, priority, tags, projectName }: Parameters<typeof writeFields>[0],
  wanted: NonNullable<IssueMapping['labels']>,
): string[] {
  const labels = [
    ...(wanted.type === true ? [type] : []),
    ...(wanted.priority === true && priority !== 'none' ? [`priority:${priority}`] : []),
    ...(wanted.tags === true ? tags : []),
    ...(wanted.project === true ? [projectName] : []),
  ].map((label) => fitText(joinLines(label), maxLabelLength))
  return [...new Set(labels)].filter((label) => label !== '')
}
