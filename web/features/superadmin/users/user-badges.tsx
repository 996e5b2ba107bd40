import type { InstanceUser, UserState } from '#contract/superadmin-users.ts'
import { Badge } from '#web/ui/badge.tsx'

export const stateLabels: Readonly<Record<UserState, string>> = {
  unconfirmed: 'Unconfirmed',
  banned: 'Banned',
  superadmin: 'Superadmin',
}

/** Marks of an account that is unconfirmed, banned or superadmin. */
export function UserBadges({ user }: { user: Pick<InstanceUser, 'confirmedAt' | 'bannedUntil' | 'isSuperadmin'> }) {
  return (
    <>
      {user.isSuperadmin && <Badge tone="accent">{stateLabels.superadmin}</Badge>}
      {user.bannedUntil !== null && <Badge tone="danger">{stateLabels.banned}</Badge>}
      {user.confirmedAt === null && <Badge tone="warning">{stateLabels.unconfirmed}</Badge>}
    </>
  )
}
