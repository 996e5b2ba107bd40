import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { findPlanStanding, type PlanStanding } from '../features/billing/plan-standing.ts'
import { currentOrganizationQuery } from '../features/organizations/current-organization.ts'
import type { Organization } from '../lib/organization.tsx'
import { isVerified, useSession } from '../lib/session.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

/** Shows a plan screen to anyone; signed-in members see their organisation's standing. */
export function WithPlanStanding({
  children,
}: {
  children: (standing: PlanStanding, organization: Organization | undefined) => ReactNode
}) {
  const session = useSession()
  const user = session.status === 'signed_in' && isVerified(session.user) ? session.user : undefined
  const organization = useQuery({ ...currentOrganizationQuery(user?.id ?? ''), enabled: user !== undefined })
  // Without an answer, the screen still shows the general plan information.
  if (session.status === 'loading' || (user && organization.isPending)) {
    return (
      <>
        <title>Plans · Earshot</title>
        <FullSpinner />
      </>
    )
  }
  const current = user && organization.data?.current?.organization
  return children(findPlanStanding(current, Date.now()), current)
}
