import { Bug, CircleQuestionMark, Heart, Lightbulb, MessageSquare } from 'lucide-react'
import type { FeedbackPriority, FeedbackStatus, FeedbackType } from '#contract/feedback.ts'
import { priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { cn } from '#web/ui/class-names.ts'

interface IconProps {
  className?: string
  /** Gives the icon a name for screen readers where no word stands beside it. */
  named?: boolean
}

const typeIcons = {
  bug: { Icon: Bug, colour: 'text-danger-text' },
  idea: { Icon: Lightbulb, colour: 'text-warning-text' },
  question: { Icon: CircleQuestionMark, colour: 'text-info-text' },
  praise: { Icon: Heart, colour: 'text-success-text' },
  other: { Icon: MessageSquare, colour: 'text-muted' },
} as const

export function TypeIcon({ type, named = false, className }: IconProps & { type: FeedbackType }) {
  const { Icon, colour } = typeIcons[type]
  return (
    <Icon
      className={cn('size-4 shrink-0', colour, className)}
      {...(named ? { role: 'img', 'aria-label': typeLabels[type] } : { 'aria-hidden': true })}
    />
  )
}

/** Of a status' icon and word. */
export const statusColours: Readonly<Record<FeedbackStatus, string>> = {
  new: 'text-accent-text',
  open: 'text-muted',
  in_progress: 'text-warning-text',
  resolved: 'text-success-text',
  closed: 'text-muted',
}

/** A circle that fills as work continues: dashed, empty, half, ticked, crossed. */
export function StatusIcon({ status, named = false, className }: IconProps & { status: FeedbackStatus }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      className={cn('size-4 shrink-0', statusColours[status], className)}
      role={named ? 'img' : undefined}
      aria-label={named ? `Status: ${statusLabels[status]}` : undefined}
      aria-hidden={named ? undefined : true}
    >
      {statusShapes[status]}
    </svg>
  )
}

const statusShapes = {
  new: <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="1.75" strokeDasharray="2.4 2.31" />,
  open: <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="1.75" />,
  in_progress: (
    <>
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="1.75" />
      <path d="M8 4.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />
    </>
  ),
  resolved: (
    <>
      <circle cx="8" cy="8" r="6.875" fill="currentColor" />
      <path
        className="stroke-surface"
        d="m5 8.2 2.1 2.1L11 6.2"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  closed: (
    <>
      <circle cx="8" cy="8" r="6.875" fill="currentColor" />
      <path className="stroke-surface" d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" strokeWidth="1.75" strokeLinecap="round" />
    </>
  ),
} as const

/** Of a priority's icon and word. */
export const priorityColours: Readonly<Record<FeedbackPriority, string>> = {
  none: 'text-muted',
  low: 'text-muted',
  medium: 'text-info-text',
  high: 'text-warning-text',
  urgent: 'text-danger-text',
}

/** Bars like those of a phone's reception; urgent stands out. */
export function PriorityIcon({ priority, named = false, className }: IconProps & { priority: FeedbackPriority }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="currentColor"
      className={cn('size-4 shrink-0', priorityColours[priority], className)}
      role={named ? 'img' : undefined}
      aria-label={named ? `Priority: ${priorityLabels[priority]}` : undefined}
      aria-hidden={named ? undefined : true}
    >
      <PriorityShape priority={priority} />
    </svg>
  )
}

function PriorityShape({ priority }: { priority: FeedbackPriority }) {
  if (priority === 'none') {
    return (
      <g opacity="0.9">
        <rect x="2" y="7.25" width="3" height="1.5" rx="0.75" />
        <rect x="6.5" y="7.25" width="3" height="1.5" rx="0.75" />
        <rect x="11" y="7.25" width="3" height="1.5" rx="0.75" />
      </g>
    )
  }
  if (priority === 'urgent') {
    return (
      <>
        <rect x="1" y="1" width="14" height="14" rx="3.5" />
        <path className="fill-surface" d="M7.1 4h1.8l-.2 4.8H7.3z" />
        <circle className="fill-surface" cx="8" cy="11.1" r="1" />
      </>
    )
  }
  const level = { low: 1, medium: 2, high: 3 }[priority]
  return (
    <>
      <rect x="1.5" y="9" width="3" height="5" rx="1" />
      <rect x="6.5" y="6" width="3" height="8" rx="1" opacity={level >= 2 ? 1 : 0.35} />
      <rect x="11.5" y="2.5" width="3" height="11.5" rx="1" opacity={level >= 3 ? 1 : 0.35} />
    </>
  )
}
