import {
  AlarmClock,
  AlarmClockOff,
  Archive,
  ArchiveRestore,
  CircleDot,
  type LucideIcon,
  Mail,
  MailOpen,
  ShieldAlert,
  ShieldCheck,
  SignalHigh,
  Tag,
  TicketPlus,
  Trash2,
  Undo2,
  UserRound,
  X,
} from 'lucide-react'
import { type ComponentProps, type ReactElement, type ReactNode, useRef, useState } from 'react'
import type { BulkChange } from '#contract/bulk.ts'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { locale } from '#web/lib/locale.ts'
import { Button } from '#web/ui/button.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import type { InboxLocation } from '../filters/feedback-filters.ts'
import { ManyIssuesMenu } from '../issues/many-issues-menu.tsx'
import { type OpenMenu, PriorityMenu, StatusMenu } from '../item/change-menus.tsx'
import { changeTags, type ItemChange } from '../item/item-change.ts'
import { SnoozeMenu } from '../item/snooze-menu.tsx'
import { AssigneeMenu } from '../item-menus/assignee-menu.tsx'
import { TagMenu } from '../item-menus/tag-menu.tsx'
import { useKnownTags } from '../use-known-tags.ts'
import { useMembers } from '../use-members.ts'
import type { BulkProgress } from './bulk-operations.ts'
import type { Selection } from './use-selection.ts'

interface BulkBarProps {
  location: InboxLocation
  selection: Selection
  /** How many are selected, in words: `12`, `999+`, `All`. */
  countText: string
  /** How many can be selected: the loaded ones, and in words all that match, if more. */
  loadedCount: number
  matchText: string | undefined
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  onChange: (change: BulkChange) => void
  onPickTime: () => void
  /** Called while issues are created. Undefined: no tracker is connected. */
  onIssuesProgress: ((progress?: BulkProgress) => void) | undefined
  /** Whether the list holds all that match. */
  isAllLoaded: boolean
  returnFocus: () => void
}

/** Actions for the selected items. */
export function BulkBar(props: BulkBarProps) {
  const { location, selection, menu, onMenu, onChange, returnFocus } = props
  const { items } = selection
  const { members, ownId } = useMembers()
  const menuOf = (name: OpenMenu) => ({
    open: menu === name,
    onOpenChange: (open: boolean) => onMenu(open ? name : undefined),
    returnFocus,
  })
  const choose = ({ closedReason, tags: _, ...change }: ItemChange) =>
    onChange({ ...change, ...(closedReason && { closedReason }) })
  return (
    <section aria-label="Selected items" className="rounded-lg border border-border bg-raised p-1 shadow-lg">
      <ChooseMore {...props} />
      <div className="flex items-center gap-0.5">
        <ClearButton {...props} />
        <span aria-hidden="true" className="mx-0.5 h-5 w-px bg-border" />
        <div className="ml-auto flex min-w-0 items-center pointer-coarse:flex-1">
          <StatusMenu
            status={findCommon(items.map(({ status }) => status))}
            closedReason={null}
            onChange={choose}
            side="top"
            {...menuOf('status')}
          >
            <BarButton label="Status" keys="s" icon={CircleDot} />
          </StatusMenu>
          <PriorityMenu
            priority={findCommon(items.map(({ priority }) => priority))}
            onChange={choose}
            side="top"
            {...menuOf('priority')}
          >
            <BarButton label="Priority" keys="p" icon={SignalHigh} />
          </PriorityMenu>
          <AssigneeMenu
            members={members}
            ownId={ownId}
            assigneeId={findCommon(items.map(({ assigneeId }) => assigneeId))}
            onAssign={(assigneeId) => onChange({ assigneeId })}
            {...menuOf('assignee')}
          >
            <BarButton label="Assign" keys="a" icon={UserRound} />
          </AssigneeMenu>
          <BulkTagMenu items={items} onChange={onChange} {...menuOf('tags')}>
            <BarButton label="Tags" keys="t" icon={Tag} />
          </BulkTagMenu>
          {(location === 'inbox' || location === 'snoozed') && (
            <SnoozeMenu
              isSnoozed={location === 'snoozed'}
              onSnooze={(snoozedUntil) => onChange({ snoozedUntil })}
              onPickTime={props.onPickTime}
              side="top"
              {...menuOf('snooze')}
            >
              <BarButton label="Snooze" keys="h" icon={AlarmClock} />
            </SnoozeMenu>
          )}
          {props.onIssuesProgress && location !== 'trash' && (
            <ManyIssuesMenu
              ids={items.map(({ id }) => id)}
              isWhole={!selection.isEverything || props.isAllLoaded}
              onProgress={props.onIssuesProgress}
              {...menuOf('issues')}
            >
              <BarButton label="Create issue in…" keys="i" icon={TicketPlus} />
            </ManyIssuesMenu>
          )}
          {listMoves(
            location,
            items.some(({ unread }) => unread),
          ).map(({ label, keys, icon, change }) => (
            <BarButton key={label} label={label} keys={keys} icon={icon} onClick={() => onChange(change)} withTooltip />
          ))}
        </div>
      </div>
    </section>
  )
}

function ClearButton({ selection, countText }: BulkBarProps) {
  return (
    <Tooltip content="Clear selection (Esc)">
      <Button
        variant="ghost"
        size="sm"
        className="gap-1.5 px-2"
        onClick={selection.clear}
        aria-label={`${countText} selected: clear selection`}
      >
        <X aria-hidden="true" className="text-muted" />
        <span className="tabular-nums">{countText}</span>
      </Button>
    </Tooltip>
  )
}

/** The way from some to all that are loaded, and from those to all that match. */
function ChooseMore({ selection, loadedCount, matchText }: BulkBarProps) {
  const areAllLoadedChosen = selection.items.length === loadedCount
  if (selection.isEverything) return null
  if (areAllLoadedChosen && matchText === undefined) return null
  return (
    <div className="mb-1 border-border border-b px-1 pb-1">
      <Button
        variant="ghost"
        size="sm"
        className="h-7 px-2 text-accent-text"
        onClick={areAllLoadedChosen ? selection.chooseEverything : selection.chooseShown}
      >
        {areAllLoadedChosen
          ? `Select ${matchText} that match`
          : `Select all ${loadedCount.toLocaleString(locale)} loaded`}
      </Button>
    </div>
  )
}

interface ToggledTags {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}
const noTags: ToggledTags = { added: [], removed: [] }

/** Gathers what is put on and taken off, and does all of it when the menu closes: one change, one undo. */
function BulkTagMenu({
  items,
  onChange,
  open,
  onOpenChange,
  returnFocus,
  children,
}: {
  items: readonly FeedbackListItem[]
  onChange: (change: BulkChange) => void
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocus: () => void
  children: ReactElement
}) {
  const [{ added, removed }, setToggled] = useState<ToggledTags>(noTags)
  // A tag that closes the menu is among what is done then: a state would only be there at the next drawing.
  const latest = useRef<ToggledTags>(noTags)
  const keep = (toggled: ToggledTags) => {
    latest.current = toggled
    setToggled(toggled)
  }
  const { common, partial } = splitTags(items.map(({ tags }) => tags))
  const close = () => {
    const { added: addTags, removed: removeTags } = latest.current
    if (addTags.length > 0 || removeTags.length > 0) {
      onChange({
        ...(addTags.length > 0 && { addTags: [...addTags] }),
        ...(removeTags.length > 0 && { removeTags: [...removeTags] }),
      })
    }
    keep(noTags)
    onOpenChange(false)
  }
  return (
    <TagMenu
      tags={changeTags(common, added, removed)}
      partialTags={changeTags(partial, [], [...added, ...removed])}
      knownTags={useKnownTags()}
      onToggle={(tag, isOn) => {
        const isThere = changeTags([tag], [], common).length === 0
        const isSomewhere = isThere || changeTags([tag], [], partial).length === 0
        keep({
          added: isOn && !isThere ? changeTags(added, [tag], []) : changeTags(added, [], [tag]),
          removed: !isOn && isSomewhere ? changeTags(removed, [tag], []) : changeTags(removed, [], [tag]),
        })
      }}
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      returnFocus={returnFocus}
    >
      {children}
    </TagMenu>
  )
}

interface Move {
  label: string
  keys?: string
  icon: LucideIcon
  change: BulkChange
}

/** Where items of a location can go, and whether they are read. */
function listMoves(location: InboxLocation, hasUnread: boolean): readonly Move[] {
  const restore: Move = { label: 'Restore', keys: 'e', icon: Undo2, change: { deleted: false } }
  const trash: Move = { label: 'Delete', keys: '#', icon: Trash2, change: { deleted: true } }
  const spam: Move = { label: 'Mark as spam', icon: ShieldAlert, change: { spam: true } }
  const read: Move = hasUnread
    ? { label: 'Mark as read', keys: 'Shift+U', icon: MailOpen, change: { viewed: true } }
    : { label: 'Mark as unread', keys: 'Shift+U', icon: Mail, change: { viewed: false } }
  if (location === 'trash') return [restore]
  if (location === 'spam') return [{ label: 'Not spam', keys: 'e', icon: ShieldCheck, change: { spam: false } }, trash]
  if (location === 'snoozed') {
    const wake: Move = { label: 'End snooze', keys: 'e', icon: AlarmClockOff, change: { snoozedUntil: null } }
    return [read, wake, spam, trash]
  }
  if (location === 'archived') {
    return [{ label: 'Move to inbox', keys: 'e', icon: ArchiveRestore, change: { archived: false } }, spam, trash]
  }
  return [read, { label: 'Archive', keys: 'e', icon: Archive, change: { archived: true } }, spam, trash]
}

/** The value that all share. */
function findCommon<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

/** Tags that all have, and those that only some have. */
function splitTags(lists: readonly (readonly string[])[]): { common: string[]; partial: string[] } {
  const all = changeTags([], [...new Map(lists.flat().map((tag) => [tag.toLowerCase(), tag])).values()], [])
  const common = all.filter((tag) => lists.every((tags) => changeTags([tag], [], tags).length === 0))
  return { common, partial: changeTags(all, [], common) }
}

function BarButton({
  label,
  keys,
  icon: Icon,
  withTooltip = false,
  ...props
}: {
  label: string
  keys?: string | undefined
  icon: LucideIcon
  withTooltip?: boolean
} & ComponentProps<typeof Button>): ReactNode {
  const button = (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      // In a narrow window all of them share the bar's width.
      className="min-w-0 shrink pointer-coarse:w-auto pointer-coarse:flex-1"
      title={withTooltip ? undefined : keys === undefined ? label : `${label} (${keys})`}
      {...props}
    >
      <Icon aria-hidden="true" />
    </Button>
  )
  return withTooltip ? <Tooltip content={keys === undefined ? label : `${label} (${keys})`}>{button}</Tooltip> : button
}
