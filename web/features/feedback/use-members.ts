import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { membersQuery } from '#web/lib/members-query.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { findOwnPicture } from '#web/lib/own-picture.ts'
import { useUser } from '#web/lib/session.tsx'
import type { RowPerson } from './inbox/feedback-row.tsx'
import { type Assignable, nameMember } from './item-menus/assignee-menu.tsx'

const noMembers: readonly Assignable[] = []

/** The organisation's members, and the id of the signed-in one. */
export function useMembers(): {
  members: readonly Assignable[]
  ownId: string
  people: ReadonlyMap<string, RowPerson>
} {
  const { organization } = useOrganization()
  const { id: ownId } = useUser()
  const { data: members = noMembers } = useQuery(membersQuery(organization.id))
  const people = useMemo(
    () =>
      new Map(
        members.map((member) => [
          member.userId,
          { name: nameMember(member), picture: findOwnPicture(member.avatarUrl, window.location.origin) },
        ]),
      ),
    [members],
  )
  return { members, ownId, people }
}
