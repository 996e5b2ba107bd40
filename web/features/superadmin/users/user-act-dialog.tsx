import {
  confirmInstanceUser,
  type InstanceUserDetail,
  revokeSuperadmin,
  sendPasswordReset,
  signOutInstanceUser,
  unbanInstanceUser,
} from '#contract/superadmin-users.ts'
import { call } from '#web/lib/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useUserAct } from './use-user-act.ts'

/** Acts that need no more than a yes. */
const acts = {
  confirm: {
    title: (email: string) => `Confirm ${email}?`,
    action: 'Confirm email',
    done: 'Email confirmed',
    text: 'The account can be used as if its owner had clicked the link in the email. Be sure that the address is theirs.',
    contract: confirmInstanceUser,
  },
  sign_out: {
    title: (email: string) => `Sign ${email} out everywhere?`,
    action: 'Sign out everywhere',
    done: 'Signed out everywhere',
    text: 'All devices are signed out at once. The person can sign in again.',
    contract: signOutInstanceUser,
  },
  send_password_reset: {
    title: (email: string) => `Send a password reset to ${email}?`,
    action: 'Send password reset',
    done: 'Password reset sent',
    text: 'The person gets an email with a link to choose a new password. It works for an hour. Until then, nothing changes.',
    contract: sendPasswordReset,
  },
  unban: {
    title: (email: string) => `Lift the ban of ${email}?`,
    action: 'Lift ban',
    done: 'Ban lifted',
    text: 'The person can sign in again at once.',
    contract: unbanInstanceUser,
  },
  revoke_superadmin: {
    title: (email: string) => `Remove ${email} from the superadmins?`,
    action: 'Remove superadmin',
    done: 'Superadmin removed',
    text: 'The person keeps their organisations and can no longer open this area.',
    contract: revokeSuperadmin,
  },
} as const
export type AskedAct = keyof typeof acts

export function UserActDialog({
  user,
  act,
  onClose,
}: {
  user: InstanceUserDetail
  act: AskedAct
  onClose: () => void
}) {
  const { title, action, done, text, contract } = acts[act]
  const acting = useUserAct({
    act: () => call<typeof contract>(contract, { params: { accountId: user.id } }),
    done,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title(user.email)}
      action={action}
      isPending={acting.isPending}
      error={acting.error}
      onConfirm={() => acting.mutate()}
    >
      <p>{text}</p>
      {act === 'send_password_reset' && user.passwordReset === 'first' && (
        <p className="mt-2">The person signs in with Google and has no password yet: the link lets them set one.</p>
      )}
    </ConfirmDialog>
  )
}
