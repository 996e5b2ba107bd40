import { Link } from 'react-router'
import type { InstanceUser } from '#contract/superadmin-users.ts'
import { formatDay, formatMoment } from '#web/lib/relative-time.ts'
import { UserBadges } from './user-badges.tsx'

/** An account in the list. */
export function UserRow({ user }: { user: InstanceUser }) {
  const { id, email, name, createdAt, lastActiveAt, lastSignInAt, organizationCount } = user
  const lastSeen = lastActiveAt ?? lastSignInAt
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,12rem)] sm:items-center">
      <span className="min-w-0">
        <Link
          to={`/dashboard/superadmin/users/${id}`}
          className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
        >
          <bdi>{email}</bdi>
        </Link>
        <span className="block truncate text-muted text-sm">
          {name !== '' && <bdi>{name}, </bdi>}
          {organizationCount === 1 ? '1 organisation' : `${organizationCount} organisations`}
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        <UserBadges user={user} />
      </span>
      <span className="text-muted text-sm sm:text-right">
        <span className="block">Created {formatDay(createdAt)}</span>
        {lastSeen === null ? 'Never signed in' : `Active ${formatMoment(lastSeen)}`}
      </span>
    </div>
  )
}
