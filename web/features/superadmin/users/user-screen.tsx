import { useQuery } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { InstanceUserDetail } from '#contract/superadmin-users.ts'
import { formatDay, formatFullTime } from '#web/lib/relative-time.ts'
import { roleNames } from '#web/shared/role-words.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { BanDialog } from './ban-dialog.tsx'
import { GrantSuperadminDialog } from './grant-superadmin-dialog.tsx'
import { ImpersonateDialog } from './impersonate-dialog.tsx'
import { ImpersonationsCard } from './impersonations-card.tsx'
import { type AskedAct, UserActDialog } from './user-act-dialog.tsx'
import { UserActs } from './user-acts.tsx'
import { UserBadges } from './user-badges.tsx'
import { userQuery } from './user-queries.ts'

const back = { to: '/dashboard/superadmin/users', label: 'Users' }

/** One account: what is known of it, and what can be done. */
export function UserScreen({ id }: { id: string }) {
  const { data: user, error, refetch } = useQuery(userQuery(id))
  return (
    <div className="flex w-full max-w-3xl flex-col gap-6">
      <BackLink to={back.to}>{back.label}</BackLink>
      {user ? (
        <User user={user} />
      ) : error ? (
        <DetailFailure
          error={error}
          failure="Couldn’t load this user"
          onRetry={() => void refetch()}
          icon={<UserX />}
          title="User not found"
          back={back}
        >
          The account may have been deleted.
        </DetailFailure>
      ) : (
        <ListSkeleton label="Loading the user" />
      )}
    </div>
  )
}

function User({ user }: { user: InstanceUserDetail }) {
  const [act, setAct] = useState<AskedAct | 'ban' | 'grant_superadmin' | 'impersonate'>()
  const close = () => setAct(undefined)
  return (
    <>
      <div className="min-w-0">
        <h2 className="font-semibold text-xl [overflow-wrap:anywhere]">
          <bdi>{user.email}</bdi>
        </h2>
        {user.name !== '' && (
          <p className="text-base text-muted">
            <bdi>{user.name}</bdi>
          </p>
        )}
        <p className="mt-2 flex flex-wrap gap-1 empty:hidden">
          <UserBadges user={user} />
        </p>
      </div>
      <UserActs user={user} onAct={setAct} />
      <FactsCard user={user} />
      <OrganizationsCard organizations={user.organizations} />
      <DevicesCard sessions={user.sessions} />
      <ImpersonationsCard userId={user.id} />
      {act === 'ban' ? (
        <BanDialog user={user} onClose={close} />
      ) : act === 'impersonate' ? (
        <ImpersonateDialog user={user} onClose={close} />
      ) : act === 'grant_superadmin' ? (
        <GrantSuperadminDialog user={user} onClose={close} />
      ) : (
        act && <UserActDialog user={user} act={act} onClose={close} />
      )}
    </>
  )
}

const longBanMs = 50 * 365 * 86_400_000

function FactsCard({ user }: { user: InstanceUserDetail }) {
  const { confirmedAt, bannedUntil, lastSignInAt, lastActiveAt } = user
  return (
    <Card aria-labelledby="account-title">
      <CardHeader>
        <CardTitle id="account-title">Account</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="divide-y divide-border text-base">
          <Fact name="Created">{formatFullTime(user.createdAt)}</Fact>
          <Fact name="Email confirmed">{confirmedAt === null ? 'No' : formatFullTime(confirmedAt)}</Fact>
          <Fact name="Last sign-in">{lastSignInAt === null ? 'Never' : formatFullTime(lastSignInAt)}</Fact>
          <Fact name="Last active">{lastActiveAt === null ? 'Never' : formatFullTime(lastActiveAt)}</Fact>
          {bannedUntil !== null && (
            <Fact name="Banned">
              {Date.parse(bannedUntil) - Date.now() > longBanMs
                ? 'Until lifted'
                : `Until ${formatFullTime(bannedUntil)}`}
            </Fact>
          )}
          <Fact name="Audit log">
            <span className="inline-flex flex-wrap justify-end gap-x-4">
              <Link className="underline underline-offset-4" to={`/dashboard/superadmin/audit?actor=${user.id}`}>
                Changes by this person
              </Link>
              <Link className="underline underline-offset-4" to={`/dashboard/superadmin/audit?target=${user.id}`}>
                Changes of this account
              </Link>
            </span>
          </Fact>
        </dl>
      </CardContent>
    </Card>
  )
}

function OrganizationsCard({ organizations }: Pick<InstanceUserDetail, 'organizations'>) {
  return (
    <Card aria-labelledby="organizations-title">
      <CardHeader>
        <CardTitle id="organizations-title">Organisations</CardTitle>
      </CardHeader>
      <CardContent>
        {organizations.length === 0 ? (
          <p className="text-base text-muted">This person is in no organisation.</p>
        ) : (
          <dl className="divide-y divide-border text-base">
            {organizations.map(({ id, name, role, joinedAt }) => (
              <Fact key={id} name={<OrganizationLink id={id} name={name} />}>
                {roleNames[role]}, since {formatDay(joinedAt)}
              </Fact>
            ))}
          </dl>
        )}
      </CardContent>
    </Card>
  )
}

function OrganizationLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      className="text-foreground underline underline-offset-4 [overflow-wrap:anywhere]"
      to={`/dashboard/superadmin/organizations/${id}`}
    >
      <bdi>{name}</bdi>
    </Link>
  )
}

function DevicesCard({ sessions }: Pick<InstanceUserDetail, 'sessions'>) {
  return (
    <Card aria-labelledby="devices-title">
      <CardHeader>
        <CardTitle id="devices-title">Devices</CardTitle>
      </CardHeader>
      <CardContent>
        {sessions.length === 0 ? (
          <p className="text-base text-muted">This person has no signed-in devices.</p>
        ) : (
          <ul className="divide-y divide-border text-base">
            {sessions.map(({ id, lastUsedAt, userAgent, ip }) => (
              <li key={id} className="py-2">
                <span className="block [overflow-wrap:anywhere]">{userAgent ?? 'Unknown browser'}</span>
                <span className="text-muted text-sm">
                  {ip !== null && `${ip}, `}last used {formatFullTime(lastUsedAt)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}
