import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { Member } from '#contract/members.ts'
import { type Role, roles } from '#contract/permissions.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { findOwnPicture } from '#web/lib/own-picture.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { useUser } from '#web/lib/session.tsx'
import { roleNames } from '#web/shared/role-words.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Select } from '#web/ui/select.tsx'
import { MemberDialogs, type MemberQuestion } from './member-dialogs.tsx'
import { PagedList } from './paged-list.tsx'
import { useRoleChange } from './use-role-change.ts'

/** Members by name. Owners change roles and remove members in it. */
export function MemberList({
  list,
  isSearch,
}: {
  list: UseInfiniteQueryResult<InfiniteData<{ items: Member[] }>, Error>
  isSearch: boolean
}) {
  const [question, setQuestion] = useState<MemberQuestion>()
  return (
    <>
      <PagedList
        list={list}
        label="Members"
        failure="Couldn’t load members"
        empty={
          <EmptyState title={isSearch ? 'No results' : 'No members'} className="py-10">
            {isSearch ? 'No member’s name or email matches.' : 'Invite people to work with you.'}
          </EmptyState>
        }
        renderItem={(member) => <MemberRow key={member.userId} member={member} onAsk={setQuestion} />}
      />
      <MemberDialogs question={question} onClose={() => setQuestion(undefined)} />
    </>
  )
}

function MemberRow({ member, onAsk }: { member: Member; onAsk: (question: MemberQuestion) => void }) {
  const { can } = useOrganization()
  const user = useUser()
  const isSelf = member.userId === user.id
  const { name, email, role } = member
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 dense:py-1.5">
      <Avatar name={name} src={findOwnPicture(member.avatarUrl, window.location.origin)} />
      <div className="min-w-0 flex-1 basis-40 text-base">
        <p className="flex min-w-0 items-center gap-2">
          <bdi className="truncate font-medium" title={name}>
            {name}
          </bdi>
          {isSelf && <Badge>You</Badge>}
        </p>
        {name !== email && (
          <p className="truncate text-muted text-sm" title={email}>
            {email}
          </p>
        )}
        <p className="text-muted text-sm">
          Joined {formatDay(member.joinedAt)}
          {can('manage_team') && (
            <>
              {' · '}
              {member.lastActiveAt === null ? (
                'Not active yet'
              ) : (
                <>
                  Active <RelativeTime iso={member.lastActiveAt} />
                </>
              )}
            </>
          )}
        </p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        {can('change_roles') ? <RoleSelect member={member} onAsk={onAsk} /> : <Badge>{roleNames[role]}</Badge>}
        {can('remove_members') && !isSelf && <MemberMenu member={member} onAsk={onAsk} />}
      </div>
    </li>
  )
}

function RoleSelect({ member, onAsk }: { member: Member; onAsk: (question: MemberQuestion) => void }) {
  const user = useUser()
  const change = useRoleChange()
  const select = (role: Role) => {
    // An owner's rights are given and given up after a question.
    const isGrave = role === 'owner' || member.userId === user.id
    if (isGrave) onAsk({ kind: 'role', member, role })
    else change.mutate({ member, role })
  }
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      className="w-auto"
      disabled={change.isPending}
      value={change.isPending ? change.variables.role : member.role}
      // The options below are the roles.
      onChange={({ currentTarget }) => select(currentTarget.value as Role)}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleNames[role]}
        </option>
      ))}
    </Select>
  )
}

function MemberMenu({ member, onAsk }: { member: Member; onAsk: (question: MemberQuestion) => void }) {
  const { organization } = useOrganization()
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${member.name}`}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        {organization.role === 'owner' && (
          <MenuItem onSelect={() => onAsk({ kind: 'transfer', member })}>Transfer ownership…</MenuItem>
        )}
        <MenuItem className="text-danger-text" onSelect={() => onAsk({ kind: 'removal', member })}>
          Remove from organisation…
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
