import type { ReactElement } from 'react'
import {
  closedReasons,
  type FeedbackPriority,
  type FeedbackStatus,
  feedbackPriorities,
  feedbackStatuses,
} from '#contract/feedback.ts'
import { type ClosedReason, closedReasonLabels, priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { SelectMenu } from '#web/ui/select-menu.tsx'
import { PriorityIcon, StatusIcon } from '../feedback-icons.tsx'
import type { ItemChange } from './item-change.ts'

/** Which menu of an item or of the selection is open. */
export type OpenMenu = 'status' | 'priority' | 'assignee' | 'tags' | 'snooze' | 'issues' | undefined

interface ChangeMenuProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onChange: (change: ItemChange) => void
  returnFocus?: () => void
  side?: 'top' | 'bottom'
  /** What opens the menu. */
  children: ReactElement
}

const statusChoices = feedbackStatuses.map((value) => ({
  value,
  label: statusLabels[value],
  icon: <StatusIcon status={value} />,
}))
const reasonChoices = closedReasons.map((value) => ({
  value,
  label: closedReasonLabels[value],
  icon: <StatusIcon status="closed" />,
}))
const closeAs = { label: 'Close as', choices: reasonChoices }

/** Chooses a status; the ways of closing are choices of their own. */
export function StatusMenu({
  status,
  closedReason,
  onChange,
  ...props
}: ChangeMenuProps & { status: FeedbackStatus | undefined; closedReason: ClosedReason | null }) {
  const choose = (value: string) => {
    const reason = closedReasons.find((each) => each === value)
    const chosen = feedbackStatuses.find((each) => each === value)
    if (reason) onChange({ status: 'closed', closedReason: reason })
    else if (chosen) onChange({ status: chosen })
  }
  return (
    <SelectMenu
      label="Status"
      value={closedReason ?? status ?? ''}
      choices={statusChoices}
      extra={closeAs}
      onChoose={choose}
      {...props}
    />
  )
}

const priorityChoices = feedbackPriorities.map((value) => ({
  value,
  label: priorityLabels[value],
  icon: <PriorityIcon priority={value} />,
}))

export function PriorityMenu({
  priority,
  onChange,
  ...props
}: ChangeMenuProps & { priority: FeedbackPriority | undefined }) {
  const choose = (value: string) => {
    const chosen = feedbackPriorities.find((each) => each === value)
    if (chosen) onChange({ priority: chosen })
  }
  return <SelectMenu label="Priority" value={priority ?? ''} choices={priorityChoices} onChoose={choose} {...props} />
}
