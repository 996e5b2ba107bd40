import { Link } from 'react-router'
import { useOrganization } from '../lib/organization.tsx'
import { describePlanWarning } from '../shared/describe-plan-warning.ts'
import type { PlanNotice } from './use-plan-notice.ts'

/** A line above every screen, as high as the room that the screens leave for it. */
export default function PlanBanner({ notice }: { notice: PlanNotice }) {
  const { can } = useOrganization()
  const { text, to, action, wish } = describeNotice(notice)
  return (
    <div
      role="status"
      className="flex h-10 shrink-0 items-center justify-center gap-3 border-border border-b bg-warning-soft px-4 text-base text-warning-text"
    >
      <p className="line-clamp-2 min-w-0 max-sm:text-sm max-sm:leading-tight">{text}</p>
      {can('manage_organization') ? (
        <Link to={to} className="shrink-0 font-medium underline underline-offset-2">
          {action}
        </Link>
      ) : (
        <span className="shrink-0 max-sm:hidden">{wish}</span>
      )}
    </div>
  )
}

function describeNotice(notice: PlanNotice): { text: string; to: string; action: string; wish: string } {
  if (notice.kind === 'past_due') {
    return {
      text: 'The last payment failed. Pay it to keep your plan.',
      to: '/dashboard/settings/billing',
      action: 'Open billing',
      wish: 'Ask an owner to pay it.',
    }
  }
  return {
    text: describePlanWarning(notice),
    to: '/plan-selection',
    action: 'Compare plans',
    wish: 'Ask an owner to choose a plan.',
  }
}
