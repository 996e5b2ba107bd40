import {
  Archive,
  CircleDot,
  type LucideIcon,
  MailOpen,
  NotebookPen,
  Reply,
  ShieldAlert,
  SignalHigh,
  Tag,
  Trash2,
  UserRound,
  UserRoundCheck,
} from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { type FeedbackLocation, feedbackPriorities, feedbackStatuses } from '#contract/feedback.ts'
import { type Command, useOfferedCommands } from '#web/lib/commands.ts'
import { priorityLabels, statusLabels } from '#web/shared/feedback-labels.ts'
import { PriorityIcon, StatusIcon } from '../feedback-icons.tsx'
import type { ItemChange } from '../item/item-change.ts'
import { type InboxActions, inboxShortcuts } from './use-inbox-keys.ts'

interface Offer {
  /** What would be acted on: `#12`, `3 items`; undefined: nothing. */
  target: string | undefined
  /** Where that lies. */
  location: FeedbackLocation | undefined
  canChange: boolean
  ownId: string
  actions: InboxActions
  change: (change: ItemChange) => void
}

/** What can be done with each item by a key, by its icon. */
const byKey: readonly [keyof InboxActions, string, LucideIcon, string][] = [
  ['archive', 'Archive', Archive, 'e'],
  ['status', 'Change status…', CircleDot, 's'],
  ['priority', 'Change priority…', SignalHigh, 'p'],
  ['assign', 'Assign…', UserRound, 'a'],
  ['tag', 'Tags…', Tag, 't'],
  ['spam', 'Mark as spam', ShieldAlert, '!'],
  ['remove', 'Move to trash', Trash2, '#'],
  ['reply', 'Reply', Reply, 'r'],
  ['comment', 'Add internal note', NotebookPen, 'c'],
]

/** What the same keys are called elsewhere than in the inbox; undefined: they do nothing there. */
const otherNames: Partial<Record<FeedbackLocation, Partial<Record<keyof InboxActions, string | undefined>>>> = {
  archived: { archive: 'Move to inbox' },
  spam: { archive: 'Not spam', spam: undefined },
  trash: { archive: 'Restore', spam: undefined, remove: undefined },
}

/** Offers to the command palette what can be done with the current item, or with those that are chosen. */
export function useInboxCommands({ target, location, canChange, ownId, actions, change }: Offer): void {
  const latest = useRef({ actions, change })
  useEffect(() => {
    latest.current = { actions, change }
  })
  const commands = useMemo((): Command[] => {
    const general: Command[] = [
      {
        id: 'unread',
        label: 'Show only unread',
        group: 'Inbox',
        icon: <MailOpen aria-hidden="true" />,
        keys: ['u'],
        run: () => latest.current.actions.unread(),
      },
    ]
    if (target === undefined || !canChange) return general
    const direct = (id: string, label: string, icon: Command['icon'], chosen: ItemChange): Command => ({
      id,
      label,
      icon,
      group: target,
      run: () => latest.current.change(chosen),
    })
    return [
      ...byKey.flatMap(([name, usual, Icon, key]) => {
        const names = { [name]: usual, ...(location && otherNames[location]) }
        const label = names[name]
        if (label === undefined) return []
        const icon = <Icon key={name} aria-hidden="true" />
        return [{ id: name, label, group: target, icon, keys: [key], run: () => latest.current.actions[name]() }]
      }),
      direct('assign-me', 'Assign to me', <UserRoundCheck aria-hidden="true" />, { assigneeId: ownId }),
      ...feedbackStatuses.map((status) =>
        direct(`status-${status}`, `Status: ${statusLabels[status]}`, <StatusIcon status={status} />, { status }),
      ),
      ...feedbackPriorities.map((priority) =>
        direct(`priority-${priority}`, `Priority: ${priorityLabels[priority]}`, <PriorityIcon priority={priority} />, {
          priority,
        }),
      ),
      ...general,
    ]
  }, [target, location, canChange, ownId])
  useOfferedCommands(commands, inboxShortcuts)
}
