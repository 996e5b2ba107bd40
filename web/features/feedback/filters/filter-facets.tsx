import { useQuery } from '@tanstack/react-query'
import {
  CalendarDays,
  CircleDot,
  FolderKanban,
  MailOpen,
  MessageCircleReply,
  Paperclip,
  Radio,
  Shapes,
  SignalHigh,
  Star,
  Tag,
  UserRound,
  UserRoundX,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { feedbackPriorities, feedbackSources, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import { formatStars, mediaLabels, priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { filterTable, lowerCase, mediaKinds } from '#contract/filters.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { sourceLabels } from '#web/shared/feedback-labels.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { PriorityIcon, StatusIcon, TypeIcon } from '../feedback-icons.tsx'
import { countsQuery } from '../feedback-queries.ts'
import { MemberPicture, nameMember } from '../item-menus/assignee-menu.tsx'
import { useMembers } from '../use-members.ts'
import { datePresetLabels, datePresets, describeRange } from './date-range.ts'
import type { Filters, ListFilter } from './feedback-filters.ts'

/** Filters that are on or off. */
export const flagFilters = ['unanswered', 'unread'] as const
export type FlagFilter = (typeof flagFilters)[number]

export type FacetName = ListFilter | FlagFilter | 'date'

/** One value of a facet to filter by. */
export interface FacetValue {
  value: string
  label: string
  icon?: ReactNode
  count?: string
}

/** Something to filter by, and its values. */
export interface Facet {
  name: FacetName
  label: string
  icon: ReactNode
  values: FacetValue[]
}

/** In the order of the menu. A filter that is missing here does not compile. */
const facetHeads: Readonly<Record<FacetName, Pick<Facet, 'label' | 'icon'>>> = {
  status: { label: 'Status', icon: <CircleDot aria-hidden="true" /> },
  priority: { label: 'Priority', icon: <SignalHigh aria-hidden="true" /> },
  type: { label: 'Type', icon: <Shapes aria-hidden="true" /> },
  assignee: { label: 'Assignee', icon: <UserRound aria-hidden="true" /> },
  tag: { label: 'Tag', icon: <Tag aria-hidden="true" /> },
  project: { label: 'Project', icon: <FolderKanban aria-hidden="true" /> },
  media: { label: 'Contains', icon: <Paperclip aria-hidden="true" /> },
  rating: { label: 'Rating', icon: <Star aria-hidden="true" /> },
  source: { label: 'Source', icon: <Radio aria-hidden="true" /> },
  date: { label: 'Received', icon: <CalendarDays aria-hidden="true" /> },
  unanswered: { label: 'Unanswered', icon: <MessageCircleReply aria-hidden="true" /> },
  unread: { label: 'Unread', icon: <MailOpen aria-hidden="true" /> },
}

// `Object.keys` forgets the names.
const facetNames = Object.keys(facetHeads) as FacetName[]

/** Values of the filters that are the same for everyone. */
const fixedValues = {
  status: feedbackStatuses.map((value) => ({
    value,
    label: statusLabels[value],
    icon: <StatusIcon status={value} />,
  })),
  priority: feedbackPriorities.toReversed().map((value) => ({
    value,
    label: priorityLabels[value],
    icon: <PriorityIcon priority={value} />,
  })),
  type: feedbackTypes.map((value) => ({ value, label: typeLabels[value], icon: <TypeIcon type={value} /> })),
  media: mediaKinds.map((value) => ({ value, label: mediaLabels[value] })),
  rating: filterTable.rating.values
    .map(String)
    .toReversed()
    .map((value) => ({ value, label: formatStars(value) })),
  source: feedbackSources.map((value) => ({ value, label: sourceLabels[value] })),
  date: datePresets.map((value) => ({ value, label: datePresetLabels[value] })),
}

/** Everything to filter by, with how much there is of each value in the location that is shown. */
export function useFacets(filters: Filters): Facet[] {
  const { organization } = useOrganization()
  const { data: counts } = useQuery(countsQuery(organization.id, filters))
  const { data: projects = [] } = useQuery(projectsQuery(organization.id))
  const { members, ownId } = useMembers()
  const tags = Object.keys(counts?.tag ?? {}).sort((a, b) => (counts?.tag[b] ?? 0) - (counts?.tag[a] ?? 0))
  const shownTags = [...tags, ...filters.tag.filter((tag) => !tags.some((each) => isSameTag(each, tag)))]
  const values: Readonly<Record<FacetName, FacetValue[]>> = {
    ...fixedValues,
    assignee: [
      { value: 'none', label: 'Unassigned', icon: <UserRoundX aria-hidden="true" /> },
      ...members
        .toSorted((a, b) => Number(b.userId === ownId) - Number(a.userId === ownId))
        .map((member) => ({
          value: member.userId,
          label: member.userId === ownId ? `${nameMember(member)} (you)` : nameMember(member),
          icon: <MemberPicture member={member} />,
        })),
    ],
    tag: shownTags.map((tag) => ({ value: tag, label: tag })),
    project: projects.map(({ id, name }) => ({ value: id, label: name })),
    unanswered: [{ value: 'true', label: 'Only unanswered' }],
    unread: [{ value: 'true', label: 'Only unread' }],
  }
  const findNumber = (name: FacetName, value: string) => {
    if (name === 'date') return undefined
    return isFlag(name) ? counts?.[name] : counts?.[name][value]
  }
  return facetNames.map((name) => ({
    name,
    ...facetHeads[name],
    values: values[name].map((each) => ({ ...each, ...formatCount(findNumber(name, each.value)) })),
  }))
}

export function isFlag(name: FacetName): name is FlagFilter {
  return flagFilters.some((each) => each === name)
}

function isSameTag(a: string, b: string): boolean {
  return lowerCase(a) === lowerCase(b)
}

/** What the facet lets through at the moment. */
export function readFacet(filters: Filters, name: FacetName): readonly string[] {
  if (isFlag(name)) return filters[name] ? ['true'] : []
  if (name === 'date') return filters.date?.kind === 'preset' ? [filters.date.preset] : filters.date ? ['range'] : []
  return filters[name]
}

/** `New, Open` or `3 values`: what is chosen of a facet, for people. */
export function describeFacet({ name, values }: Facet, filters: Filters): string {
  if (name === 'date' && filters.date) return describeRange(filters.date)
  const chosen = readFacet(filters, name)
  if (chosen.length > 2) return `${chosen.length} values`
  return chosen
    .map((value) => values.find((each) => each.value === value || (name === 'tag' && isSameTag(each.value, value))))
    .map((each, index) => each?.label ?? (name === 'tag' ? chosen[index] : 'Unknown'))
    .join(', ')
}
