import { useQuery } from '@tanstack/react-query'
import {
  CalendarDays,
  CircleDot,
  FolderKanban,
  MailOpen,
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
import { mediaKinds } from '#contract/inbox.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { datePresetLabels, datePresets, describeRange } from './date-range.ts'
import type { Filters, ListFilter } from './feedback-filters.ts'
import { PriorityIcon, StatusIcon, TypeIcon } from './feedback-icons.tsx'
import { formatStars, mediaLabels, priorityLabels, sourceLabels, statusLabels, typeLabels } from './feedback-labels.ts'
import { countsQuery } from './feedback-queries.ts'
import { formatCount } from './format-count.ts'
import { MemberPicture, nameMember } from './item-menus/assignee-menu.tsx'
import { useMembers } from './use-members.ts'

export type FacetName = ListFilter | 'date' | 'unread'

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

/** Everything to filter by, with how much there is of each value in the place that is shown. */
export function useFacets(filters: Filters): Facet[] {
  const { organization } = useOrganization()
  const { data: counts } = useQuery(countsQuery(organization.id, filters))
  const { data: projects = [] } = useQuery(projectsQuery(organization.id))
  const { members, ownId } = useMembers()
  const withCounts = (values: FacetValue[], numbers: Readonly<Record<string, number>> | undefined) =>
    values.map((each) => ({ ...each, ...formatCount(numbers?.[each.value], counts?.limit) }))
  const tags = Object.keys(counts?.tag ?? {}).sort((a, b) => (counts?.tag[b] ?? 0) - (counts?.tag[a] ?? 0))
  const shownTags = [...tags, ...filters.tag.filter((tag) => !tags.some((each) => isSameTag(each, tag)))]

  return [
    {
      name: 'status',
      label: 'Status',
      icon: <CircleDot aria-hidden="true" />,
      values: withCounts(
        feedbackStatuses.map((value) => ({
          value,
          label: statusLabels[value],
          icon: <StatusIcon status={value} />,
        })),
        counts?.status,
      ),
    },
    {
      name: 'priority',
      label: 'Priority',
      icon: <SignalHigh aria-hidden="true" />,
      values: withCounts(
        feedbackPriorities.toReversed().map((value) => ({
          value,
          label: priorityLabels[value],
          icon: <PriorityIcon priority={value} />,
        })),
        counts?.priority,
      ),
    },
    {
      name: 'type',
      label: 'Type',
      icon: <Shapes aria-hidden="true" />,
      values: withCounts(
        feedbackTypes.map((value) => ({ value, label: typeLabels[value], icon: <TypeIcon type={value} /> })),
        counts?.type,
      ),
    },
    {
      name: 'assignee',
      label: 'Assignee',
      icon: <UserRound aria-hidden="true" />,
      values: withCounts(
        [
          { value: 'none', label: 'Nobody', icon: <UserRoundX aria-hidden="true" /> },
          ...members
            .toSorted((a, b) => Number(b.userId === ownId) - Number(a.userId === ownId))
            .map((member) => ({
              value: member.userId,
              label: member.userId === ownId ? `${nameMember(member)} (you)` : nameMember(member),
              icon: <MemberPicture member={member} />,
            })),
        ],
        counts?.assignee,
      ),
    },
    {
      name: 'tag',
      label: 'Tag',
      icon: <Tag aria-hidden="true" />,
      values: withCounts(
        shownTags.map((tag) => ({ value: tag, label: tag })),
        counts?.tag,
      ),
    },
    {
      name: 'project',
      label: 'Project',
      icon: <FolderKanban aria-hidden="true" />,
      values: withCounts(
        projects.map(({ id, name }) => ({ value: id, label: name })),
        counts?.project,
      ),
    },
    {
      name: 'media',
      label: 'Contains',
      icon: <Paperclip aria-hidden="true" />,
      values: withCounts(
        mediaKinds.map((value) => ({ value, label: mediaLabels[value] })),
        counts?.media,
      ),
    },
    {
      name: 'rating',
      label: 'Rating',
      icon: <Star aria-hidden="true" />,
      values: withCounts(
        ['5', '4', '3', '2', '1'].map((value) => ({ value, label: formatStars(value) })),
        counts?.rating,
      ),
    },
    {
      name: 'source',
      label: 'Source',
      icon: <Radio aria-hidden="true" />,
      values: withCounts(
        feedbackSources.map((value) => ({ value, label: sourceLabels[value] })),
        counts?.source,
      ),
    },
    {
      name: 'date',
      label: 'Received',
      icon: <CalendarDays aria-hidden="true" />,
      values: datePresets.map((value) => ({ value, label: datePresetLabels[value] })),
    },
    {
      name: 'unread',
      label: 'Unread',
      icon: <MailOpen aria-hidden="true" />,
      values: [{ value: 'true', label: 'Only unread', ...formatCount(counts?.unread, counts?.limit) }],
    },
  ]
}

function isSameTag(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** What the facet lets through at the moment. */
export function readFacet(filters: Filters, name: FacetName): readonly string[] {
  if (name === 'unread') return filters.unread ? ['true'] : []
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
