import { Link } from 'react-router'
import type { InstanceOrganization } from '#contract/superadmin-organizations.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { statusLabels } from '../subscriptions/status-badge.tsx'
import { OrganizationBadges } from './organization-badges.tsx'

/** An organisation in the list. */
export function OrganizationRow({ organization }: { organization: InstanceOrganization }) {
  const { id, name, slug, createdAt, status, planName, memberCount, projectCount, recentItems } = organization
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,12rem)] sm:items-center">
      <span className="min-w-0">
        <Link
          to={`/dashboard/superadmin/organizations/${id}`}
          className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <span className="block truncate text-muted text-sm">
          {slug}, {planName === null ? statusLabels[status] : `${planName} (${statusLabels[status]})`}
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        <OrganizationBadges organization={organization} />
      </span>
      <span className="text-muted text-sm tabular-nums sm:text-right">
        <span className="block">
          {formatQuantity(memberCount, 'member')}, {formatQuantity(projectCount, 'project')}
        </span>
        <span className="block">{formatItems(recentItems)} in 30 days</span>
        <span className="block">Created {formatDay(createdAt)}</span>
      </span>
    </div>
  )
}
