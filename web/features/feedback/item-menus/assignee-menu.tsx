import { CircleDashed } from 'lucide-react'
import { findOwnPicture } from '#web/lib/own-picture.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import type { PickMenuProps } from '#web/ui/pick-list.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'

/** A member who can be assigned. */
export interface Assignable {
  userId: string
  name: string
  email: string
  avatarUrl: string | null
}

interface AssigneeMenuProps
  extends Pick<PickMenuProps, 'open' | 'onOpenChange' | 'returnFocus' | 'align' | 'children'> {
  members: readonly Assignable[]
  /** Null: unassigned; undefined: many items, whose assignees differ. */
  assigneeId: string | null | undefined
  /** The signed-in person, who comes first. */
  ownId: string | undefined
  onAssign: (userId: string | null) => void
}

const unassigned = 'unassigned'

/** Chooses who looks after an item. */
export function AssigneeMenu({ members, assigneeId, ownId, onAssign, ...menu }: AssigneeMenuProps) {
  const people = members.toSorted((a, b) => Number(b.userId === ownId) - Number(a.userId === ownId))
  return (
    <PickMenu
      label="Assignee"
      placeholder="Assign to…"
      emptyText="No members found."
      options={[
        ...people.map((member) => ({
          value: member.userId,
          label: member.userId === ownId ? `${nameMember(member)} (you)` : nameMember(member),
          hint: member.email,
          icon: <MemberPicture member={member} />,
          state: member.userId === assigneeId ? ('on' as const) : ('off' as const),
        })),
        {
          value: unassigned,
          label: 'Unassigned',
          icon: <CircleDashed aria-hidden="true" className="size-5! text-muted" />,
          state: assigneeId === null ? ('on' as const) : ('off' as const),
        },
      ]}
      onPick={(value) => onAssign(value === unassigned ? null : value)}
      {...menu}
    />
  )
}

/** A member's name; the address of one who has not given any. */
export function nameMember({ name, email }: Pick<Assignable, 'name' | 'email'>): string {
  return name.trim() === '' ? email : name
}

/** A member as a small picture. */
export function MemberPicture({ member }: { member: Assignable }) {
  const src = typeof window === 'undefined' ? undefined : findOwnPicture(member.avatarUrl, window.location.origin)
  return <Avatar name={nameMember(member)} src={src} className="size-5 text-[0.5625rem]" />
}
