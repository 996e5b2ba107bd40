import {
  Archive,
  ArchiveRestore,
  CircleDashed,
  Link2,
  MoreHorizontal,
  ShieldAlert,
  ShieldCheck,
  Tag,
  Trash2,
  Undo2,
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

interface ItemActionsProps {
  item: ChangedItem
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  onChange: (change: ItemChange) => void
}

/** Who looks after the open item, and its tags. */
export function ItemMenus({ item, menu, onMenu, onChange }: ItemActionsProps) {
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
            <CircleDashed aria-hidden="true" className="text-muted" />
          ) : (
            <Avatar name={name} src={assignee?.picture} className="size-5 text-[0.5625rem]" />
          )}
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
          {item.tags.length > 0 && <span className="tabular-nums">{item.tags.length}</span>}
        </Button>
      </TagMenu>
    </>
  )
}

/** The way of an item that is done with, or the way back: what the key `e` does. */
const moveOns = {
  inbox: { label: 'Archive', Icon: Archive, change: { archived: true } },
  archived: { label: 'Move to inbox', Icon: ArchiveRestore, change: { archived: false } },
  spam: { label: 'Not spam', Icon: ShieldCheck, change: { spam: false } },
  trash: { label: 'Restore', Icon: Undo2, change: { deleted: false } },
  merged: undefined,
} as const

/** Where the open item can go from where it lies. The likeliest stands by itself where there is room. */
export function ItemMoves({
  item,
  onChange,
  onCopyLink,
}: Pick<ItemActionsProps, 'item' | 'onChange'> & { onCopyLink: () => void }) {
  const moveOn = moveOns[item.location]
  return (
    <>
      {moveOn && (
        <Tooltip content={`${moveOn.label} (e)`} side="bottom">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={moveOn.label}
            aria-keyshortcuts="e"
            onClick={() => onChange(moveOn.change)}
            className="max-sm:hidden"
          >
            <moveOn.Icon aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
      <MoreMoves item={item} onChange={onChange} onCopyLink={onCopyLink} />
    </>
  )
}

function MoreMoves({
  item,
  onChange,
  onCopyLink,
}: Pick<ItemActionsProps, 'item' | 'onChange'> & { onCopyLink: () => void }) {
  const line = (icon: ReactNode, label: string, change: ItemChange, keys?: string) => (
    <MenuItem onSelect={() => onChange(change)}>
      {icon}
      <span className="flex-1">{label}</span>
      {keys !== undefined && (
        <Kbd aria-hidden="true" className="pointer-coarse:hidden">
          {keys}
        </Kbd>
      )}
    </MenuItem>
  )
  const moveOn = moveOns[item.location]
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label="More" title="Archive, spam, delete">
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end" aria-label="More">
        {moveOn && line(<moveOn.Icon aria-hidden="true" />, moveOn.label, moveOn.change, 'e')}
        {(item.location === 'inbox' || item.location === 'archived') &&
          line(<ShieldAlert aria-hidden="true" />, 'Mark as spam', { spam: true }, '!')}
        {item.location !== 'trash' && line(<Trash2 aria-hidden="true" />, 'Move to trash', { deleted: true }, '#')}
        <MenuSeparator className="sm:hidden" />
        <MenuItem onSelect={onCopyLink} className="sm:hidden">
          <Link2 aria-hidden="true" />
          Copy link
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
