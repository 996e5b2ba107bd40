import {
  AlarmClock,
  AlarmClockOff,
  Archive,
  ArchiveRestore,
  ClipboardCopy,
  Link2,
  Mail,
  MailOpen,
  MoreHorizontal,
  ShieldAlert,
  ShieldCheck,
  Tag,
  Trash2,
  Undo2,
  UserRoundPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { AssigneeMenu } from '../item-menus/assignee-menu.tsx'
import { TagMenu } from '../item-menus/tag-menu.tsx'
import { useKnownTags } from '../use-known-tags.ts'
import { useMembers } from '../use-members.ts'
import type { OpenMenu } from './change-menus.tsx'
import { type ChangedItem, changeTags, type ItemChange } from './item-change.ts'
import { SnoozeMenu } from './snooze-menu.tsx'

interface ItemActionsProps {
  item: ChangedItem
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  onChange: (change: ItemChange) => void
  /** Asks until when to snooze. */
  onPickTime: () => void
}

/** Who looks after the open item, and its tags. */
export function ItemMenus({ item, menu, onMenu, onChange, onPickTime }: ItemActionsProps) {
  const { members, ownId, people } = useMembers()
  const knownTags = useKnownTags()
  const assignee = item.assigneeId === null ? undefined : people.get(item.assigneeId)
  const name = item.assigneeId === null ? 'Unassigned' : (assignee?.name ?? 'Unknown member')
  return (
    <>
      <AssigneeMenu
        members={members}
        ownId={ownId}
        assigneeId={item.assigneeId}
        open={menu === 'assignee'}
        onOpenChange={(open) => onMenu(open ? 'assignee' : undefined)}
        onAssign={(assigneeId) => onChange({ assigneeId })}
      >
        <Button
          variant="secondary"
          size="sm"
          className="min-w-0 px-2"
          aria-keyshortcuts="a"
          title={`Assignee: ${name} (a)`}
        >
          <span className="sr-only">Assignee: {name}</span>
          {item.assigneeId === null ? (
            <UserRoundPlus aria-hidden="true" className="text-muted" />
          ) : (
            <Avatar name={name} src={assignee?.picture} className="size-5 text-[0.5625rem]" />
          )}
          <span aria-hidden="true" className="hidden max-w-28 truncate @2xl/header:inline">
            {item.assigneeId === null ? 'Assign' : name}
          </span>
        </Button>
      </AssigneeMenu>
      <TagMenu
        tags={item.tags}
        knownTags={knownTags}
        open={menu === 'tags'}
        onOpenChange={(open) => onMenu(open ? 'tags' : undefined)}
        onToggle={(tag, isOn) =>
          onChange({ tags: isOn ? changeTags(item.tags, [tag], []) : changeTags(item.tags, [], [tag]) })
        }
      >
        <Button
          variant="secondary"
          size="sm"
          className="min-w-0 px-2"
          aria-label={item.tags.length === 0 ? 'Tags: none' : `Tags: ${item.tags.length}, ${item.tags.join(', ')}`}
          aria-keyshortcuts="t"
          title={item.tags.length === 0 ? 'Tags (t)' : `Tags: ${item.tags.join(', ')} (t)`}
        >
          <Tag aria-hidden="true" className="text-muted" />
          <span aria-hidden="true" className="hidden @2xl/header:inline">
            Tags
          </span>
          {item.tags.length > 0 && <span className="tabular-nums">{item.tags.length}</span>}
        </Button>
      </TagMenu>
      {isSnoozable(item) && (
        <ItemSnooze item={item} menu={menu} onMenu={onMenu} onChange={onChange} onPickTime={onPickTime} />
      )}
    </>
  )
}

function ItemSnooze({ item, menu, onMenu, onChange, onPickTime }: ItemActionsProps) {
  return (
    <SnoozeMenu
      isSnoozed={item.snoozedUntil !== null}
      open={menu === 'snooze'}
      onOpenChange={(open) => onMenu(open ? 'snooze' : undefined)}
      onSnooze={(snoozedUntil) => onChange({ snoozedUntil })}
      onPickTime={onPickTime}
    >
      <Button
        variant="secondary"
        size="sm"
        className="min-w-0 px-2 max-sm:hidden"
        aria-label="Snooze"
        aria-keyshortcuts="h"
        title="Snooze (h)"
      >
        <AlarmClock aria-hidden="true" className="text-muted" />
        <span aria-hidden="true" className="hidden @3xl/header:inline">
          Snooze
        </span>
      </Button>
    </SnoozeMenu>
  )
}

function isSnoozable({ location }: ChangedItem): boolean {
  return location === 'inbox' || location === 'snoozed'
}

/** The way of an item that is done with, or the way back: what the key `e` does. */
const moveOns = {
  inbox: { label: 'Archive', Icon: Archive, change: { archived: true } },
  snoozed: { label: 'End snooze', Icon: AlarmClockOff, change: { snoozedUntil: null } },
  archived: { label: 'Move to inbox', Icon: ArchiveRestore, change: { archived: false } },
  spam: { label: 'Not spam', Icon: ShieldCheck, change: { spam: false } },
  trash: { label: 'Restore', Icon: Undo2, change: { deleted: false } },
  merged: undefined,
} as const

interface MovesProps extends Pick<ItemActionsProps, 'item' | 'onChange' | 'onPickTime'> {
  /** False: the item can only be copied. */
  canChange: boolean
  onCopyLink: () => void
  onCopyReport: () => void
}

/** Where the open item can go from where it lies. The likeliest stands by itself where there is room. */
export function ItemMoves(props: MovesProps) {
  const { item, canChange, onChange } = props
  const moveOn = moveOns[item.location]
  return (
    <>
      {canChange && moveOn && (
        <Tooltip content={`${moveOn.label} (e)`} side="bottom">
          <Button
            variant="ghost"
            size="sm"
            aria-keyshortcuts="e"
            onClick={() => onChange(moveOn.change)}
            className="gap-1.5 px-2 max-sm:hidden"
          >
            <moveOn.Icon aria-hidden="true" />
            <span className="@max-2xl/header:sr-only">{moveOn.label}</span>
          </Button>
        </Tooltip>
      )}
      <MoreMoves {...props} />
    </>
  )
}

function MoreMoves({ item, canChange, onChange, onPickTime, onCopyLink, onCopyReport }: MovesProps) {
  const line = (icon: ReactNode, label: string, change: ItemChange, keys?: string) => (
    <MenuItem onSelect={() => onChange(change)}>
      {icon}
      <MenuLabel label={label} keys={keys} />
    </MenuItem>
  )
  const moveOn = moveOns[item.location]
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="More"
          title={canChange ? 'Archive, spam, delete, copy' : 'Copy'}
        >
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end" aria-label="More">
        {canChange && (
          <>
            {moveOn && line(<moveOn.Icon aria-hidden="true" />, moveOn.label, moveOn.change, 'e')}
            {isSnoozable(item) && (
              <MenuItem onSelect={onPickTime} className="sm:hidden">
                <AlarmClock aria-hidden="true" />
                Snooze…
              </MenuItem>
            )}
            {(isSnoozable(item) || item.location === 'archived') &&
              line(<ShieldAlert aria-hidden="true" />, 'Mark as spam', { spam: true }, '!')}
            {item.location !== 'trash' && line(<Trash2 aria-hidden="true" />, 'Move to trash', { deleted: true }, '#')}
            {item.unread
              ? line(<MailOpen aria-hidden="true" />, 'Mark as read', { viewed: true }, 'Shift+U')
              : line(<Mail aria-hidden="true" />, 'Mark as unread', { viewed: false }, 'Shift+U')}
            <MenuSeparator />
          </>
        )}
        <MenuItem onSelect={onCopyReport}>
          <ClipboardCopy aria-hidden="true" />
          <MenuLabel label="Copy as bug report" keys="b" />
        </MenuItem>
        {canChange && (
          <MenuItem onSelect={onCopyLink} className="sm:hidden">
            <Link2 aria-hidden="true" />
            Copy link
          </MenuItem>
        )}
      </MenuContent>
    </Menu>
  )
}

function MenuLabel({ label, keys }: { label: string; keys: string | undefined }) {
  return (
    <>
      <span className="flex-1">{label}</span>
      {keys !== undefined && (
        <Kbd aria-hidden="true" className="pointer-coarse:hidden">
          {keys}
        </Kbd>
      )}
    </>
  )
}
