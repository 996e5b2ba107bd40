import {
  AlarmClock,
  Archive,
  CircleDot,
  ClipboardCopy,
  type LucideIcon,
  Mail,
  MailOpen,
  MessageCircleReply,
  NotebookPen,
  Reply,
  ShieldAlert,
  SignalHigh,
  Tag,
  Ticket,
  Trash2,
  Undo2,
  UserRound,
  UserRoundCheck,
} from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { type FeedbackLocation, feedbackPriorities, feedbackStatuses } from '#contract/feedback.ts'
import { priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { type Command, useOfferedCommands } from '#web/lib/commands.ts'
import { PriorityIcon, StatusIcon } from '../feedback-icons.tsx'
import type { ItemChange } from '../item/item-change.ts'
import { commandKey, type InboxActions, listInboxShortcuts } from './use-inbox-keys.ts'

interface Offer {
  /** What would be acted on: `#12`, `3 items`; undefined: nothing. */
  target: string | undefined
  /** Whether that is a selection. */
  isMany: boolean
  /** Where that lies. */
  location: FeedbackLocation | undefined
  canChange: boolean
  /** Whether some of it is unread. */
  isUnread: boolean
  ownId: string
  /** Whether issues can be created in a tracker. */
  hasTracker: boolean
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
  ['snooze', 'Snooze…', AlarmClock, 'h'],
  ['spam', 'Mark as spam', ShieldAlert, '!'],
  ['remove', 'Move to trash', Trash2, '#'],
  ['reply', 'Reply', Reply, 'r'],
  ['comment', 'Add internal note', NotebookPen, 'c'],
]

/** What the same keys are called elsewhere than in the inbox; undefined: they do nothing there. */
const otherNames: Partial<Record<FeedbackLocation, Partial<Record<keyof InboxActions, string | undefined>>>> = {
  snoozed: { archive: 'End snooze' },
  archived: { archive: 'Move to inbox', snooze: undefined },
  spam: { archive: 'Not spam', snooze: undefined, spam: undefined },
  trash: { archive: 'Restore', snooze: undefined, spam: undefined, remove: undefined },
}

/** Offers to the command palette what can be done with the current item, or with those that are chosen. */
export function useInboxCommands(offer: Offer): void {
  const { target, isMany, location, canChange, isUnread, ownId, hasTracker, actions, change } = offer
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
      {
        id: 'unanswered',
        label: 'Show only unanswered',
        group: 'Inbox',
        icon: <MessageCircleReply aria-hidden="true" />,
        run: () => latest.current.actions.unanswered(),
      },
    ]
    if (canChange) {
      general.push({
        id: 'undo',
        label: 'Undo the last change',
        group: 'Inbox',
        icon: <Undo2 aria-hidden="true" />,
        keys: [commandKey, 'Z'],
        run: () => latest.current.actions.undo(),
      })
    }
    if (target === undefined) return general
    const copying: Command[] = isMany
      ? []
      : [
          {
            id: 'copy-report',
            label: 'Copy as bug report',
            group: target,
            icon: <ClipboardCopy aria-hidden="true" />,
            keys: ['b'],
            run: () => latest.current.actions.copyReport(),
          },
        ]
    if (!canChange) return [...copying, ...general]
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
      markCommand(target, isUnread, () => latest.current.actions.toggleRead()),
      ...(hasTracker && location !== 'trash' ? [issueCommand(target, () => latest.current.actions.issue())] : []),
      ...copying,
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
  }, [target, isMany, location, canChange, isUnread, ownId, hasTracker])
  useOfferedCommands(commands, listInboxShortcuts(hasTracker))
}

function markCommand(group: string, isUnread: boolean, run: () => void): Command {
  return {
    id: 'toggle-read',
    label: isUnread ? 'Mark as read' : 'Mark as unread',
    group,
    icon: isUnread ? <MailOpen aria-hidden="true" /> : <Mail aria-hidden="true" />,
    keys: ['Shift', 'u'],
    run,
  }
}

function issueCommand(group: string, run: () => void): Command {
  return {
    id: 'create-issue',
    label: 'Create issue…',
    group,
    icon: <Ticket aria-hidden="true" />,
    keys: ['i'],
    run,
  }
}
