import type { IssueMapping, IssueStage } from '#contract/issue-mapping.ts'

/** An item's statuses of each stage, as the team calls them. */
export const stageLabels: Readonly<Record<IssueStage, string>> = {
  todo: 'New or Open',
  started: 'In progress',
  done: 'Resolved',
  dropped: 'Closed',
}

export type LabelSource = keyof NonNullable<IssueMapping['labels']>

/** A mapping without what asks for nothing, so that two that mean the same are the same. */
export function tidyMapping({ statuses, stages, labels, priority, assignee }: IssueMapping): IssueMapping {
  const wanted = Object.entries(statuses ?? {}).filter(([, id]) => id !== undefined)
  const on = Object.entries(labels ?? {}).filter(([, isOn]) => isOn)
  return {
    ...(wanted.length > 0 && { statuses: Object.fromEntries(wanted) }),
    ...(stages && stages.length > 0 && { stages }),
    ...(on.length > 0 && { labels: Object.fromEntries(on) }),
    ...(priority && { priority }),
    ...(assignee && { assignee }),
  }
}

/** @param statusId undefined: the tracker's first of the stage. */
export function withStatus(mapping: IssueMapping, stage: IssueStage, statusId: string | undefined): IssueMapping {
  const { [stage]: _, ...others } = mapping.statuses ?? {}
  return tidyMapping({ ...mapping, statuses: { ...others, ...(statusId !== undefined && { [stage]: statusId }) } })
}

/** @param stage undefined: as the tracker classifies the status. */
export function withStage(mapping: IssueMapping, statusId: string, stage: IssueStage | undefined): IssueMapping {
  const others = (mapping.stages ?? []).filter((each) => each.statusId !== statusId)
  return tidyMapping({ ...mapping, stages: stage === undefined ? others : [...others, { statusId, stage }] })
}

export function withLabel(mapping: IssueMapping, source: LabelSource, isOn: boolean): IssueMapping {
  return tidyMapping({ ...mapping, labels: { ...mapping.labels, [source]: isOn } })
}

/** What a mapping sets, a line for each. */
export function describeMapping({ statuses, stages, labels, priority, assignee }: IssueMapping): string[] {
  const on = Object.entries(labels ?? {}).flatMap(([source, isOn]) => (isOn ? [source] : []))
  const selected = Object.keys(statuses ?? {}).length + (stages ?? []).length
  const lines = [
    ...(selected > 0 ? [`${selected === 1 ? '1 status' : `${selected} statuses`} selected`] : []),
    ...(on.length > 0 ? [`Labels from ${on.join(', ')}`] : []),
    ...(priority ? ['Priority'] : []),
    ...(assignee ? ['Assignee'] : []),
  ]
  return lines.length === 0 ? ['Default'] : lines
}
