import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { endImpersonationOf, type Impersonation } from '#contract/impersonations.ts'
import { call } from '#web/lib/api.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { toast } from '#web/ui/toast.tsx'
import { impersonationsQuery } from './user-queries.ts'

const endWords: Readonly<Record<NonNullable<Impersonation['endReason']>, string>> = {
  ended: 'ended by a superadmin',
  expired: 'ended when its time was over',
  superadmin_lost_right: 'ended when the superadmin lost the right',
  superadmin_signed_out: 'ended when the superadmin signed out',
  user_became_superadmin: 'ended when the person became superadmin',
  user_unusable: 'ended when the account was banned or deleted',
}

/** Who acted as this person, why, when, and how it ended. */
export function ImpersonationsCard({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(impersonationsQuery(userId))
  return (
    <Card aria-labelledby="impersonations-title">
      <CardHeader>
        <CardTitle id="impersonations-title">Impersonations</CardTitle>
      </CardHeader>
      <CardContent>
        {data ? (
          data.items.length === 0 ? (
            <p className="text-base text-muted">No superadmin has impersonated this person.</p>
          ) : (
            <ul className="divide-y divide-border text-base">
              {data.items.map((each) => (
                <Row key={each.id} userId={userId} impersonation={each} />
              ))}
            </ul>
          )
        ) : error ? (
          <p role="alert" className="flex flex-wrap items-center gap-3 text-base">
            Couldn’t load the impersonations.
            <RequestNote error={error} />
            <Button variant="secondary" size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        ) : (
          <p role="status" className="text-base text-muted">
            Loading impersonations
          </p>
        )}
      </CardContent>
    </Card>
  )
}

function Row({ userId, impersonation }: { userId: string; impersonation: Impersonation }) {
  const { id, superadmin, reason, mode, createdAt, expiresAt, endedAt, endReason } = impersonation
  const queryClient = useQueryClient()
  const ending = useMutation({
    mutationFn: () => call(endImpersonationOf, { params: { impersonationId: id } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Impersonation ended' })
      return queryClient.invalidateQueries({ queryKey: impersonationsQuery(userId).queryKey })
    },
    onError: (error) => toast({ title: 'Couldn’t end the impersonation', error, tone: 'danger' }),
  })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="[overflow-wrap:anywhere]">
          <bdi className="font-medium">{superadmin.name ?? 'A former superadmin'}</bdi>: <bdi>{reason}</bdi>
        </p>
        <p className="text-muted text-sm">
          {mode === 'changes' ? 'Changes allowed' : 'Read-only'}, {formatFullTime(createdAt)},{' '}
          {endedAt === null
            ? `until ${formatFullTime(expiresAt)}`
            : `${endWords[endReason ?? 'ended']}, ${formatFullTime(endedAt)}`}
        </p>
        <Link
          className="text-sm underline underline-offset-4"
          to={`/dashboard/superadmin/audit?impersonation=${id}`}
          aria-label={`Audit log of the impersonation: ${reason}`}
        >
          Audit log
        </Link>
      </div>
      {endedAt === null && (
        <span className="flex items-center gap-2">
          <Badge tone="warning">In progress</Badge>
          <Button variant="secondary" size="sm" loading={ending.isPending} onClick={() => ending.mutate()}>
            End
          </Button>
        </span>
      )}
    </li>
  )
}
