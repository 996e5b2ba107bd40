import { Link } from 'react-router'
import type { PlanWarning } from '#contract/plans.ts'
import { useOrganization } from '../lib/organization.tsx'
import { describePlanWarning } from '../shared/describe-plan-warning.ts'

/** A line above every screen, as high as the room that the screens leave for it. */
export default function PlanBanner({ warning }: { warning: PlanWarning }) {
  const { can } = useOrganization()
  return (
    <div
      role="status"
      className="flex h-10 shrink-0 items-center justify-center gap-3 border-border border-b bg-warning-soft px-4 text-base text-warning-text"
    >
      <p className="min-w-0 truncate">{describePlanWarning(warning)}</p>
      {can('manage_organization') ? (
        <Link to="/plan-selection" className="shrink-0 font-medium underline underline-offset-2">
          Compare plans
        </Link>
      ) : (
        <span className="shrink-0 max-sm:hidden">Ask an owner to choose a plan.</span>
      )}
    </div>
  )
}
