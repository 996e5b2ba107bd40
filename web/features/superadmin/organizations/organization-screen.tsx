import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Building2, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { restoreOrganization } from '#contract/organization-deletion.ts'
import type { InstanceOrganizationDetail } from '#contract/superadmin-organizations.ts'
import { call } from '#web/lib/api.ts'
import { formatDay, formatFullTime } from '#web/lib/relative-time.ts'
import { formatItems } from '#web/shared/format-count.ts'
import { roleNames } from '#web/shared/role-words.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { organizationQuery, organizationsKey } from './organization-queries.ts'

const back = { to: '/dashboard/superadmin/organizations', label: 'Organisations' }

/** One organisation: its members, projects and use. */
export function OrganizationScreen({ id }: { id: string }) {
  const { data: organization, error, refetch } = useQuery(organizationQuery(id))
  return (
    <div className="flex w-full max-w-3xl flex-col gap-6">
      <BackLink to={back.to}>{back.label}</BackLink>
      {organization ? (
        <Organization organization={organization} />
      ) : error ? (
        <DetailFailure
          error={error}
          failure="Couldn’t load this organisation"
          onRetry={() => void refetch()}
          icon={<Building2 />}
          title="Organisation not found"
          back={back}
        >
          It may have been deleted.
        </DetailFailure>
      ) : (
        <ListSkeleton label="Loading the organisation" />
      )}
    </div>
  )
}

function Organization({ organization }: { organization: InstanceOrganizationDetail }) {
  const [isRestoring, setRestoring] = useState(false)
  const { name, closedAt } = organization
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold text-xl [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h2>
          {closedAt !== null && (
            <p className="mt-2">
              <Badge tone="danger">Being deleted</Badge>
            </p>
          )}
        </div>
        {closedAt !== null && (
          <Button onClick={() => setRestoring(true)}>
            <RotateCcw aria-hidden="true" />
            Restore
          </Button>
        )}
      </div>
      <FactsCard organization={organization} />
      <MembersCard members={organization.members} count={organization.memberCount} />
      <ProjectsCard projects={organization.projects} count={organization.projectCount} />
      {isRestoring && <RestoreDialog organization={organization} onClose={() => setRestoring(false)} />}
    </>
  )
}

function FactsCard({ organization }: { organization: InstanceOrganizationDetail }) {
  const { id, slug, createdAt, closedAt, deleteAfter, planName, recentItems, days } = organization
  return (
    <Card aria-labelledby="organization-title">
      <CardHeader>
        <CardTitle id="organization-title">Organisation</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="divide-y divide-border text-base">
          <Fact name="Address">{slug}</Fact>
          <Fact name="Created">{formatFullTime(createdAt)}</Fact>
          <Fact name="Plan">
            <Link className="underline underline-offset-4" to={`/dashboard/superadmin/subscriptions/${id}`}>
              {planName ?? 'No plan'}
            </Link>
          </Fact>
          <Fact name="Last 30 days">
            {formatItems(recentItems)} received on {days.filter(({ items }) => items > 0).length} days
          </Fact>
          {closedAt !== null && <Fact name="Deleted">{formatFullTime(closedAt)}</Fact>}
          {deleteAfter !== null && <Fact name="Removed with everything in it">{formatFullTime(deleteAfter)}</Fact>}
          <Fact name="Audit log">
            <Link className="underline underline-offset-4" to={`/dashboard/superadmin/audit?organization=${id}`}>
              Changes in this organisation
            </Link>
          </Fact>
        </dl>
      </CardContent>
    </Card>
  )
}

function MembersCard({ members, count }: { members: InstanceOrganizationDetail['members']; count: number }) {
  return (
    <Card aria-labelledby="members-title">
      <CardHeader>
        <CardTitle id="members-title">Members</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="divide-y divide-border text-base">
          {members.map(({ id, email, name, role, joinedAt }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
              <Link
                className="underline-offset-4 [overflow-wrap:anywhere] hover:underline"
                to={`/dashboard/superadmin/users/${id}`}
              >
                <bdi>{name === '' ? email : `${name}, ${email}`}</bdi>
              </Link>
              <span className="text-muted">
                {roleNames[role]}, since {formatDay(joinedAt)}
              </span>
            </li>
          ))}
        </ul>
        {count > members.length && <p className="mt-3 text-muted text-sm">And {count - members.length} more.</p>}
      </CardContent>
    </Card>
  )
}

function ProjectsCard({ projects, count }: { projects: InstanceOrganizationDetail['projects']; count: number }) {
  return (
    <Card aria-labelledby="projects-title">
      <CardHeader>
        <CardTitle id="projects-title">Projects</CardTitle>
      </CardHeader>
      <CardContent>
        {projects.length === 0 ? (
          <p className="text-base text-muted">This organisation has no projects.</p>
        ) : (
          <ul className="divide-y divide-border text-base">
            {projects.map(({ id, name, domain }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
                <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
                <span className="text-muted">{domain}</span>
              </li>
            ))}
          </ul>
        )}
        {count > projects.length && <p className="mt-3 text-muted text-sm">And {count - projects.length} more.</p>}
      </CardContent>
    </Card>
  )
}

function RestoreDialog({ organization, onClose }: { organization: InstanceOrganizationDetail; onClose: () => void }) {
  const queryClient = useQueryClient()
  const restoring = useMutation({
    mutationFn: () => call(restoreOrganization, { params: { organizationId: organization.id } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Organisation restored' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: organizationsKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Restore ${organization.name}?`}
      action="Restore"
      isPending={restoring.isPending}
      error={restoring.error}
      onConfirm={() => restoring.mutate()}
    >
      <p>Its members have access again, with everything in it. A subscription that was cancelled stays cancelled.</p>
    </ConfirmDialog>
  )
}
