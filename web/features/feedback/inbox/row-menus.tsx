import type { FeedbackListItem } from '#contract/feedback.ts'
import { PriorityIcon, StatusIcon } from '../feedback-icons.tsx'
import { type OpenMenu, PriorityMenu, StatusMenu } from '../item/change-menus.tsx'
import { changeTags, type ItemChange } from '../item/item-change.ts'
import { SnoozeMenu } from '../item/snooze-menu.tsx'
import { AssigneeMenu } from '../item-menus/assignee-menu.tsx'
import { TagMenu } from '../item-menus/tag-menu.tsx'
import { useKnownTags } from '../use-known-tags.ts'
import { useMembers } from '../use-members.ts'

interface RowMenusProps {
  item: FeedbackListItem
  menu: OpenMenu
  onOpenChange: (open: boolean) => void
  onChange: (change: ItemChange) => void
  onPickTime: () => void
  returnFocus: () => void
}

/** An item's menus in its row, when the keyboard asks for one there. */
export function RowMenus({ item, menu, onChange, onPickTime, ...shared }: RowMenusProps) {
  const { members, ownId } = useMembers()
  const knownTags = useKnownTags()
  return (
    <>
      <PriorityMenu priority={item.priority} open={menu === 'priority'} onChange={onChange} {...shared}>
        <button type="button" tabIndex={-1} aria-label="Change priority">
          <PriorityIcon priority={item.priority} />
        </button>
      </PriorityMenu>
      {menu === 'assignee' && (
        <AssigneeMenu
          open
          members={members}
          ownId={ownId}
          assigneeId={item.assigneeId}
          onAssign={(assigneeId) => onChange({ assigneeId })}
          align="end"
          {...shared}
        >
          <button type="button" tabIndex={-1} aria-label="Assign" className="size-0" />
        </AssigneeMenu>
      )}
      {menu === 'tags' && (
        <TagMenu
          open
          tags={item.tags}
          knownTags={knownTags}
          onToggle={(tag, isOn) =>
            onChange({ tags: isOn ? changeTags(item.tags, [tag], []) : changeTags(item.tags, [], [tag]) })
          }
          align="end"
          {...shared}
        >
          <button type="button" tabIndex={-1} aria-label="Tags" className="size-0" />
        </TagMenu>
      )}
      {menu === 'snooze' && (
        <SnoozeMenu
          open
          isSnoozed={item.snoozedUntil !== null}
          onSnooze={(snoozedUntil) => onChange({ snoozedUntil })}
          onPickTime={onPickTime}
          {...shared}
        >
          <button type="button" tabIndex={-1} aria-label="Snooze" className="size-0" />
        </SnoozeMenu>
      )}
      <StatusMenu status={item.status} closedReason={null} open={menu === 'status'} onChange={onChange} {...shared}>
        <button type="button" tabIndex={-1} aria-label="Change status">
          <StatusIcon status={item.status} />
        </button>
      </StatusMenu>
    </>
  )
}
