import type { InstanceUserDetail } from '#contract/superadmin-users.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import type { AskedAct } from './user-act-dialog.tsx'

interface UserActsProps {
  user: InstanceUserDetail
  onAct: (act: AskedAct | 'ban' | 'grant_superadmin') => void
}

/** The acts that an account allows now. None on one's own: a superadmin who locks themselves out needs a shell. */
export function UserActs({ user, onAct }: UserActsProps) {
  const { confirmedAt, bannedUntil, isSuperadmin, sessionCount } = user
  const isOwn = useUser().id === user.id
  if (isOwn) return <p className="text-base text-muted">This is your own account.</p>
  const isUsable = confirmedAt !== null && bannedUntil === null
  return (
    <div className="flex flex-wrap gap-2">
      {confirmedAt === null && <Button onClick={() => onAct('confirm')}>Confirm email</Button>}
      {sessionCount > 0 && (
        <Button variant="secondary" onClick={() => onAct('sign_out')}>
          Sign out everywhere
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
  )
}
