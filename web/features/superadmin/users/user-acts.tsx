import type { InstanceUserDetail } from '#contract/superadmin-users.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import type { AskedAct } from './user-act-dialog.tsx'

interface UserActsProps {
  user: InstanceUserDetail
  onAct: (act: AskedAct | 'ban' | 'grant_superadmin' | 'impersonate') => void
}

/** The acts that an account allows now. None on one's own: a superadmin who locks themselves out needs a shell. */
export function UserActs({ user, onAct }: UserActsProps) {
  const { confirmedAt, bannedUntil, isSuperadmin, sessionCount, passwordReset } = user
  const isOwn = useUser().id === user.id
  if (isOwn) return <p className="text-base text-muted">This is your own account.</p>
  const isUsable = confirmedAt !== null && bannedUntil === null
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {isUsable && !isSuperadmin && <Button onClick={() => onAct('impersonate')}>Impersonate</Button>}
        {confirmedAt === null && <Button onClick={() => onAct('confirm')}>Confirm email</Button>}
        {sessionCount > 0 && (
          <Button variant="secondary" onClick={() => onAct('sign_out')}>
            Sign out everywhere
          </Button>
        )}
        {isUsable && passwordReset !== 'elsewhere' && (
          <Button variant="secondary" onClick={() => onAct('send_password_reset')}>
            Send password reset
          </Button>
        )}
        {isSuperadmin ? (
          <Button variant="secondary" onClick={() => onAct('revoke_superadmin')}>
            Remove superadmin
          </Button>
        ) : (
          isUsable && (
            <Button variant="secondary" onClick={() => onAct('grant_superadmin')}>
              Make superadmin
            </Button>
          )
        )}
        {bannedUntil !== null ? (
          <Button onClick={() => onAct('unban')}>Lift ban</Button>
        ) : (
          !isSuperadmin && (
            <Button variant="danger" onClick={() => onAct('ban')}>
              Ban
            </Button>
          )
        )}
      </div>
      {isUsable && passwordReset === 'elsewhere' && (
        <p className="text-base text-muted">
          A Supabase project serves sign-in for this instance. Send password resets from its dashboard.
        </p>
      )}
    </>
  )
}
