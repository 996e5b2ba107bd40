import { useQuery } from '@tanstack/react-query'
import { feedbackPriorities, feedbackSources, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import { formatStars, priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { countFeedback } from '#contract/inbox.ts'
import type { DeliveryRules } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { locationLabels, sourceLabels } from '#web/shared/feedback-labels.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'

/** Rules that the form edits. The others are set through the API, and kept. */
const facetLabels = {
  projectId: 'Project',
  type: 'Type',
  status: 'Status',
  priority: 'Priority',
  rating: 'Rating',
  tag: 'Tag',
  source: 'Source',
} as const satisfies Partial<Record<keyof DeliveryRules, string>>

export type RuleFacetName = keyof typeof facetLabels

export interface RuleFacet {
  readonly name: RuleFacetName
  readonly label: string
  readonly options: readonly { value: string; label: string }[]
}

const fixedOptions = {
  type: feedbackTypes.map((value) => ({ value, label: typeLabels[value] })),
  status: feedbackStatuses.map((value) => ({ value, label: statusLabels[value] })),
  priority: feedbackPriorities.toReversed().map((value) => ({ value, label: priorityLabels[value] })),
  rating: ['5', '4', '3', '2', '1'].map((value) => ({ value, label: formatStars(value) })),
  source: feedbackSources.map((value) => ({ value, label: sourceLabels[value] })),
}

/** Everything that rules can select by, with the organisation's own projects and tags. */
export function useRuleFacets(rules: DeliveryRules): RuleFacet[] {
  const { organization } = useOrganization()
  const { data: projects = [] } = useQuery(projectsQuery(organization.id))
  const { data: counts } = useQuery({
    queryKey: [...feedbackKey(organization.id), 'rule-tags'],
    queryFn: ({ signal }) => call(countFeedback, { params: { organizationId: organization.id }, signal }),
    networkMode: 'always',
  })
  const known = Object.entries(counts?.tag ?? {}).sort(([, a], [, b]) => b - a)
  const tags = [...new Set([...known.map(([tag]) => tag), ...(rules.tag ?? [])])]
  const options: Record<RuleFacetName, RuleFacet['options']> = {
    ...fixedOptions,
    projectId: projects.map(({ id, name }) => ({ value: id, label: name })),
    tag: tags.map((tag) => ({ value: tag, label: tag })),
  }
  // `Object.keys` forgets the names.
  const names = Object.keys(facetLabels) as RuleFacetName[]
  return names.map((name) => ({ name, label: facetLabels[name], options: options[name] }))
}

/** Selected values of a facet, as text. */
export function readRule(rules: DeliveryRules, name: RuleFacetName): readonly string[] {
  return (rules[name] ?? []).map(String)
}

/** The rules with a value of a facet selected, or no longer. Without values, the facet asks for nothing. */
export function toggleRule(rules: DeliveryRules, name: RuleFacetName, value: string): DeliveryRules {
  const before = readRule(rules, name)
  const values = before.includes(value) ? before.filter((each) => each !== value) : [...before, value]
  const { [name]: _, ...others } = rules
  if (values.length === 0) return others
  // Values come from the options of the facet.
  return { ...others, [name]: name === 'rating' ? values.map(Number) : values } as DeliveryRules
}

/** `Bug, Idea` or `3 values`; empty: any. */
export function describeRule(rules: DeliveryRules, { name, options }: RuleFacet): string {
  const values = readRule(rules, name)
  if (values.length > 2) return `${values.length} values`
  return values.map((value) => options.find((each) => each.value === value)?.label ?? 'Unknown').join(', ')
}

const otherLabels: Partial<Record<keyof DeliveryRules, string>> = {
  media: 'contents',
  assignee: 'assignee',
  unanswered: 'unanswered',
  visitor: 'visitor',
  from: 'earliest time',
  to: 'latest time',
}

/** Rules that the form does not edit, by name. */
export function listOtherRules(rules: DeliveryRules): string[] {
  return Object.entries(otherLabels).flatMap(([name, label]) => (name in rules ? [label] : []))
}

/** Rules in words, for the integration's page: `Type: Bug`. Empty: everything in the inbox. */
export function describeRules(rules: DeliveryRules, facets: readonly RuleFacet[]): string[] {
  const chosen = facets.flatMap((facet) => {
    const values = describeRule(rules, facet)
    return values === '' ? [] : [`${facet.label}: ${values}`]
  })
  const { location } = rules
  return [
    ...chosen,
    ...(location === undefined || location === 'inbox' ? [] : [`Location: ${locationLabels[location]}`]),
    ...listOtherRules(rules).map((label) => `By ${label}`),
  ]
}
