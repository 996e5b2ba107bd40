import { Link } from 'react-router'
import type { InstanceOrganizationDetail } from '#contract/superadmin-organizations.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { roleNames } from '#web/shared/role-words.ts'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'

const linkClass = 'underline underline-offset-4'

export function MembersCard({ organization }: { organization: InstanceOrganizationDetail }) {
  const { id: organizationId, members, memberCount } = organization
  return (
    <Card aria-labelledby="members-title">
      <CardHeader>
        <CardTitle id="members-title">Members</CardTitle>
      </CardHeader>
      <CardContent>
        {members.length === 0 ? (
          <p className="text-base text-muted">This organisation has no members.</p>
        ) : (
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
        )}
        {memberCount > members.length && (
          <p className="mt-3 text-muted text-sm">
            And {memberCount - members.length} more.{' '}
            <Link className={linkClass} to={`/dashboard/superadmin/users?organization=${organizationId}`}>
              Find all members
            </Link>
          </p>
        )}
      </CardContent>
    </Card>
  )
}

export function ProjectsCard({ organization }: { organization: InstanceOrganizationDetail }) {
  const { name: organizationName, projects, projectCount } = organization
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
            {projects.map(({ id, name, domain, widgetKey }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <bdi>{name}</bdi> <span className="text-muted">{domain}</span>
                </span>
                <Link className={linkClass} to={`/dashboard/superadmin/widget-test?q=${widgetKey}`}>
                  Test widget<span className="sr-only"> of {name}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {projectCount > projects.length && (
          <p className="mt-3 text-muted text-sm">
            And {projectCount - projects.length} more.{' '}
            <Link
              className={linkClass}
              to={`/dashboard/superadmin/widget-test?q=${encodeURIComponent(organizationName)}`}
            >
              Find all projects
            </Link>
          </p>
        )}
      </CardContent>
    </Card>
  )
}
