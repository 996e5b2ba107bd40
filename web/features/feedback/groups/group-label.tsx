import { CalendarDays, CircleDashed, FolderKanban } from 'lucide-react'
import type { ReactNode } from 'react'
import { feedbackPriorities, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import { priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import type { Project } from '#contract/projects.ts'
import { getDateFormat } from '#web/lib/date-style.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PriorityIcon, StatusIcon, TypeIcon } from '../feedback-icons.tsx'
import type { Filters } from '../filters/feedback-filters.ts'
import type { RowPerson } from '../inbox/feedback-row.tsx'

interface LabelProps {
  by: Filters['group']
  value: string
  projects: readonly Project[] | undefined
  people: ReadonlyMap<string, RowPerson>
}

/** The words and the picture of a group's heading. */
export function GroupLabel({ by, value, projects, people }: LabelProps) {
  if (by === 'status') {
    const status = feedbackStatuses.find((each) => each === value)
    return status && <Label icon={<StatusIcon status={status} />} text={statusLabels[status]} />
  }
  if (by === 'priority') {
    const priority = feedbackPriorities.find((each) => each === value)
    return priority && <Label icon={<PriorityIcon priority={priority} />} text={priorityLabels[priority]} />
  }
  if (by === 'type') {
    const type = feedbackTypes.find((each) => each === value)
    return type && <Label icon={<TypeIcon type={type} />} text={typeLabels[type]} />
  }
  if (by === 'day') {
    const text = getDateFormat('longDay', 'UTC').format(new Date(`${value}T12:00:00Z`))
    return <Label icon={<CalendarDays aria-hidden="true" className="text-muted" />} text={text} />
  }
  if (by === 'project') {
    const name = projects?.find(({ id }) => id === value)?.name ?? 'Project'
    return <Label icon={<FolderKanban aria-hidden="true" className="text-muted" />} text={name} />
  }
  if (value === 'none') {
    return <Label icon={<CircleDashed aria-hidden="true" className="text-muted" />} text="Unassigned" />
  }
  const person = people.get(value)
  const name = person?.name ?? 'Former member'
  return <Label icon={<Avatar name={name} src={person?.picture} className="size-5 text-[0.5625rem]" />} text={name} />
}

function Label({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <>
      {icon}
      <bdi className="truncate">{text}</bdi>
    </>
  )
}
