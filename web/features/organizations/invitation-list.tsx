import { type InfiniteData, type UseInfiniteQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { createInvitationLink, resendInvitation, revokeInvitation, type SentInvitation } from '#contract/invitations.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatDay } from '#web/lib/relative-time.ts'
import { roleNames } from '#web/shared/role-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { toast } from '#web/ui/toast.tsx'
import { invitationsQuery } from './invitations-query.ts'
import { PagedList } from './paged-list.tsx'

type Question = { readonly kind: 'link' | 'revocation'; readonly invitation: SentInvitation }

/** Invitations without an answer, newest first: resend, make a link, revoke. */
export function InvitationList({
  list,
  onInvite,
}: {
  list: UseInfiniteQueryResult<InfiniteData<{ items: SentInvitation[] }>, Error>
  onInvite: () => void
}) {
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)
  return (
    <>
      <PagedList
        list={list}
        label="Invitations"
        failure="Couldn’t load invitations"
        empty={
          <EmptyState
            icon={<Mail />}
            title="No open invitations"
            action={<Button onClick={onInvite}>Invite people</Button>}
            className="py-10"
          >
            Invitations stay here until they are accepted or revoked.
          </EmptyState>
        }
        renderItem={(invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onAsk={(kind) => setQuestion({ kind, invitation })}
          />
        )}
      />
      {question?.kind === 'link' && <LinkDialog invitation={question.invitation} onClose={close} />}
      {question?.kind === 'revocation' && <RevocationDialog invitation={question.invitation} onClose={close} />}
    </>
  )
}

function useInvitationsAgain(): () => void {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: invitationsQuery(organization.id).queryKey })
}

function InvitationRow({ invitation, onAsk }: { invitation: SentInvitation; onAsk: (kind: Question['kind']) => void }) {
  const { organization } = useOrganization()
  const readAgain = useInvitationsAgain()
  const { id: invitationId, email, role, state } = invitation
  const resending = useMutation({
    mutationFn: () => call(resendInvitation, { params: { organizationId: organization.id, invitationId } }),
    networkMode: 'always',
    onSuccess: () => toast({ title: 'Invitation sent again', description: email, tone: 'success' }),
    onError: (error) => toast({ title: 'Couldn’t resend the invitation', error, tone: 'danger' }),
    onSettled: readAgain,
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 dense:py-1.5">
      <div className="min-w-0 flex-1 basis-48 text-base">
        <p className="truncate font-medium" title={email}>
          {email}
        </p>
        <p className="text-muted text-sm">
          {roleNames[role]} · Sent <RelativeTime iso={invitation.createdAt} /> ·{' '}
          {state === 'expired' ? 'Expired' : 'Expires'} {formatDay(invitation.expiresAt)}
        </p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        {state === 'expired' && <Badge tone="warning">Expired</Badge>}
        <Button variant="secondary" size="sm" loading={resending.isPending} onClick={() => resending.mutate()}>
          Resend<span className="sr-only"> to {email}</span>
        </Button>
        <Menu>
          <MenuTrigger asChild>
            <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${email}`}>
              <MoreHorizontal aria-hidden="true" />
            </Button>
          </MenuTrigger>
          <MenuContent align="end">
            <MenuItem onSelect={() => onAsk('link')}>Create link…</MenuItem>
            <MenuItem className="text-danger-text" onSelect={() => onAsk('revocation')}>
              Revoke invitation…
            </MenuItem>
          </MenuContent>
        </Menu>
      </div>
    </li>
  )
}

interface DialogProps {
  invitation: SentInvitation
  onClose: () => void
}

/** A link to hand over. It is shown once: only its hash is stored. */
function LinkDialog({ invitation, onClose }: DialogProps) {
  const { organization } = useOrganization()
  const readAgain = useInvitationsAgain()
  const making = useMutation({
    mutationFn: () =>
      call(createInvitationLink, { params: { organizationId: organization.id, invitationId: invitation.id } }),
    networkMode: 'always',
    onSettled: readAgain,
  })
  if (!making.data) {
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="Create a new link?"
        action="Create link"
        isPending={making.isPending}
        error={making.error}
        onConfirm={() => making.mutate()}
      >
        <p>
          You can send the link to {invitation.email} yourself. The link in the email stops working, because each
          invitation has one link.
        </p>
      </ConfirmDialog>
    )
  }
  const { url } = making.data
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invitation link"
      description={`Works once, only for ${invitation.email}, until ${formatDay(making.data.invitation.expiresAt)}.`}
    >
      <div className="flex flex-col gap-4">
        <Field label="Link" hint="Copy it now. It is not shown again.">
          {(control) => (
            <Input {...control} readOnly value={url} onFocus={({ currentTarget }) => currentTarget.select()} />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <CopyButton text={url} label="Copy link" className="h-9" />
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  )
}

function RevocationDialog({ invitation, onClose }: DialogProps) {
  const { organization } = useOrganization()
  const readAgain = useInvitationsAgain()
  const revoking = useMutation({
    mutationFn: () =>
      call(revokeInvitation, { params: { organizationId: organization.id, invitationId: invitation.id } }),
    networkMode: 'always',
    onSuccess: () => {
      onClose()
      toast({ title: 'Invitation revoked', description: invitation.email, tone: 'success' })
    },
    onSettled: readAgain,
  })
  const isGone = revoking.error instanceof ApiError && revoking.error.code === 'invitation_not_found'
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Revoke this invitation?"
      action="Revoke invitation"
      isDangerous
      isPending={revoking.isPending}
      error={isGone ? new Error('This invitation was already accepted.') : revoking.error}
      onConfirm={() => revoking.mutate()}
    >
      <p>The link that {invitation.email} has stops working. You can invite the person again at any time.</p>
    </ConfirmDialog>
  )
}
