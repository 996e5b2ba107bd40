import type { InstanceOrganization } from '#contract/superadmin-organizations.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether it is suspended, or being deleted. */
export function OrganizationBadges({ organization }: { organization: InstanceOrganization }) {
  return (
    <>
      {organization.suspendedAt !== null && <Badge tone="warning">Suspended</Badge>}
      {organization.closedAt !== null && <Badge tone="danger">Being deleted</Badge>}
    </>
  )
}
