import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createInvitation } from '#contract/invitations.ts'
import { type Member, removeMember, transferOwnership } from '#contract/members.ts'
import type { Role } from '#contract/permissions.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { useUser } from '#web/lib/session.tsx'
import { roleNames } from '#web/shared/role-words.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { invitationsQuery } from './invitations-query.ts'
import { readMembersAgain, useRoleChange } from './use-role-change.ts'

/** The question before a change of a member. */
export type MemberQuestion =
  | { readonly kind: 'removal' | 'transfer'; readonly member: Member }
  | { readonly kind: 'role'; readonly member: Member; readonly role: Role }

/** The dialog of the question, if there is one. */
export function MemberDialogs({ question, onClose }: { question: MemberQuestion | undefined; onClose: () => void }) {
  if (question?.kind === 'removal') return <RemovalDialog member={question.member} onClose={onClose} />
  if (question?.kind === 'transfer') return <TransferDialog member={question.member} onClose={onClose} />
  if (question?.kind === 'role') return <RoleDialog member={question.member} role={question.role} onClose={onClose} />
  return null
}

interface DialogProps {
  member: Member
  onClose: () => void
}

function RemovalDialog({ member, onClose }: DialogProps) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const invitation = { email: member.email, role: member.role }
  const inviteAgain = async () => {
    try {
      await call(createInvitation, { params: { organizationId: organization.id }, body: invitation })
      void queryClient.invalidateQueries({ queryKey: invitationsQuery(organization.id).queryKey })
      toast({ title: 'Invitation sent', description: member.email, tone: 'success' })
    } catch (error) {
      const description = error instanceof Error ? error.message : ''
      toast({ title: 'Couldn’t send the invitation', description, tone: 'danger' })
    }
  }
  const removal = useMutation({
    mutationFn: () =>
      call(removeMember, { params: { organizationId: organization.id, userId: member.userId } }).catch(
        (error: unknown) => {
          // Removed elsewhere, or the answer to an earlier attempt was lost: the result is the same.
          if (!(error instanceof ApiError && error.code === 'member_not_found')) throw error
        },
      ),
    networkMode: 'always',
    onSuccess: async () => {
      await readMembersAgain(queryClient, organization.id)
      onClose()
      toast({
        title: 'Member removed',
        description: member.name,
        tone: 'success',
        durationMs: 10_000,
        action: { label: 'Invite again', onPress: () => void inviteAgain() },
      })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        <>
          Remove <bdi>{member.name}</bdi>?
        </>
      }
      action="Remove member"
      isDangerous
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    >
      <p>
        {member.email} loses access to {organization.name} immediately, also in open tabs.
      </p>
      <ul className="list-disc pl-5">
        <li>Items assigned to this person become unassigned.</li>
        <li>Notes, replies and history stay.</li>
        {member.role === 'owner' && <li>Open invitations from this person are revoked.</li>}
      </ul>
      <p>To undo this, invite the person again.</p>
    </ConfirmDialog>
  )
}

function TransferDialog({ member, onClose }: DialogProps) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const transfer = useMutation({
    mutationFn: () =>
      call(transferOwnership, { params: { organizationId: organization.id }, body: { userId: member.userId } }),
    networkMode: 'always',
    // A second attempt would come from someone who is no owner any more.
    retry: false,
    onSuccess: async () => {
      await readMembersAgain(queryClient, organization.id)
      onClose()
      toast({ title: 'Ownership transferred', description: `${member.name} is an owner now.`, tone: 'success' })
    },
    onError: () => void readMembersAgain(queryClient, organization.id),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        <>
          Transfer ownership to <bdi>{member.name}</bdi>?
        </>
      }
      action="Transfer ownership"
      isDangerous
      isPending={transfer.isPending}
      error={transfer.error}
      onConfirm={() => transfer.mutate()}
    >
      <p>
        {member.name} becomes an owner of {organization.name}. You become an admin: you can no longer manage members,
        projects, integrations or the organisation.
      </p>
      <p>Only an owner can undo this.</p>
    </ConfirmDialog>
  )
}

function RoleDialog({ member, role, onClose }: DialogProps & { role: Role }) {
  const { organization } = useOrganization()
  const user = useUser()
  const change = useRoleChange()
  const isSelf = member.userId === user.id
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        isSelf ? (
          'Change your own role?'
        ) : (
          <>
            Make <bdi>{member.name}</bdi> an owner?
          </>
        )
      }
      action={isSelf ? `Become ${roleNames[role].toLowerCase()}` : 'Make owner'}
      isDangerous={isSelf}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ member, role }, { onSuccess: onClose })}
    >
      {isSelf ? (
        <p>
          You can no longer manage members, projects, integrations or the organisation. Only an owner can undo this.
        </p>
      ) : (
        <p>Owners manage the members, projects and integrations of {organization.name}, and can remove other owners.</p>
      )}
    </ConfirmDialog>
  )
}
