import type { IssueField, IssueMapping } from '#contract/issue-mapping.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { IntegrationDefinition } from '../define-integration.ts'

/**
 * Refuses a mapping that asks a service for more than it takes. Statuses are not checked: one may be deleted at any time, and
 * then the tracker's first of the stage counts. A service without issues takes nothing, and statuses have no effect on it.
 *
 * @param definition undefined: this version does not know the type, and takes nothing for it.
 * @throws ProductError `validation_failed`, naming the field.
 */
export function checkMapping(
  definition: Pick<IntegrationDefinition, 'name' | 'tracker'> | undefined,
  { labels = {}, stages = [], ...switches }: IssueMapping,
): void {
  const takes = definition?.tracker?.takes ?? []
  const label = Object.entries(labels).find(([, isOn]) => isOn)?.[0]
  const asked: readonly [IssueField, string | undefined][] = [
    ['labels', label && `labels.${label}`],
    ['priority', switches.priority ? 'priority' : undefined],
    ['assignee', switches.assignee ? 'assignee' : undefined],
  ]
  for (const [field, path] of asked) {
    if (path === undefined || takes.includes(field)) continue
    throw invalid(`body.mapping.${path}`, `is not something that ${definition?.name ?? 'this service'} takes`)
  }
  const ids = stages.map(({ statusId }) => statusId)
  const repeated = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (repeated >= 0) throw invalid(`body.mapping.stages.${repeated}.statusId`, 'is named twice')
}
