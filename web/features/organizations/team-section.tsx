import { useInfiniteQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { locale } from '#web/lib/locale.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { InvitationList } from './invitation-list.tsx'
import { invitationsPageQuery } from './invitations-query.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberList } from './member-list.tsx'
import { membersPageQuery } from './members-page-query.ts'

type Part = 'members' | 'invitations'
const searchDelayMs = 250
/** Fewer than this are seen at a glance. */
const manyMembers = 8

/** Members and, for those who may invite, invitations without an answer. */
export function TeamSection() {
  const { organization, can } = useOrganization()
  const mayInvite = can('invite_members')
  const [address, setAddress] = useSearchParams()
  const [isInviting, setInviting] = useState(false)
  const [typed, setTyped] = useState('')
  const search = useDelayed(typed.trim())
  const members = useInfiniteQuery(membersPageQuery(organization.id, search))
  const invitations = useInfiniteQuery({ ...invitationsPageQuery(organization.id), enabled: mayInvite })
  const part: Part = mayInvite && address.get('show') === 'invitations' ? 'invitations' : 'members'
  const total = members.data?.pages[0]?.total
  const show = (next: Part) =>
    setAddress(next === 'members' ? {} : { show: next }, { replace: true, preventScrollReset: true })
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 border-border border-b px-5 py-3">
        {mayInvite ? (
          <Segmented
            label="Show"
            value={part}
            options={[
              { value: 'members', label: <Counted label="Members" count={total} /> },
              {
                value: 'invitations',
                label: <Counted label="Invitations" count={invitations.data?.pages[0]?.total} />,
              },
            ]}
            onChange={show}
          />
        ) : (
          <p className="font-medium text-base">
            <Counted label="Members" count={total} />
          </p>
        )}
        {mayInvite && (
          <Button size="sm" className="ml-auto" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite people
          </Button>
        )}
        {part === 'members' && (total ?? 0) >= manyMembers && (
          <search className="w-full">
            <Input
              type="search"
              aria-label="Find a member"
              placeholder="Find by name or email"
              maxLength={200}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </search>
        )}
      </div>
      {part === 'members' ? (
        <MemberList list={members} isSearch={search !== ''} />
      ) : (
        <InvitationList list={invitations} onInvite={() => setInviting(true)} />
      )}
      {mayInvite && <InviteDialog open={isInviting} onOpenChange={setInviting} />}
    </>
  )
}

function Counted({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      {label}
      {count !== undefined && <span className="ml-1.5 text-muted tabular-nums">{count.toLocaleString(locale)}</span>}
    </>
  )
}

/** The text as it is once no one has typed for a moment. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return useDeferredValue(delayed)
}
