import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'

/** In place of the content of an item that is over the limit of the plan, or arrived after the trial. */
export function LockedNote() {
  const { can } = useOrganization()
  const isOwner = can('manage_organization')
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md bg-warning-soft px-3 py-2 text-base text-warning-text">
      <Lock aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        {isOwner ? 'Locked. Choose a plan to read it.' : 'Locked. Ask an owner to choose a plan.'}
      </p>
      {isOwner && (
        <Button asChild variant="secondary" size="sm">
          <Link to="/plan-selection">Compare plans</Link>
        </Button>
      )}
    </div>
  )
}
