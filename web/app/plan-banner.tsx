import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { billingQuery } from '../features/billing/billing-query.ts'
import { useOrganization } from '../lib/organization.tsx'
import { describePlanNotice } from './describe-plan-notice.ts'
import type { PlanNotice } from './use-plan-notice.ts'

/** A line above every screen, as high as the room that the screens leave for it; on a phone, its words have three lines. */
export default function PlanBanner({ notice }: { notice: PlanNotice }) {
  const { organization, can } = useOrganization()
  const isOwner = can('manage_organization')
  // Whether the bank waits for the owner is known to owners alone.
  const { data } = useQuery({ ...billingQuery(organization.id), enabled: isOwner && notice.kind === 'past_due' })
  const { text, to, action, wish } = describePlanNotice(notice, data?.owed?.state)
  return (
    <div
      role="status"
      className="flex h-(--banner) shrink-0 items-center justify-center border-border border-b bg-warning-soft px-4 text-base text-warning-text leading-tight"
    >
      <p>
        {text}{' '}
        {isOwner ? (
          <Link to={to} className="whitespace-nowrap font-medium underline underline-offset-2">
            {action}
          </Link>
        ) : (
          wish
        )}
      </p>
    </div>
  )
}
