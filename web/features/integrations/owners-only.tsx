import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** In place of a form that the person may not use. */
export function OwnersOnly() {
  return (
    <EmptyState
      icon={<Lock />}
      title="Only owners can manage integrations"
      action={
        <Button asChild variant="secondary">
          <Link to="/dashboard/integrations">All integrations</Link>
        </Button>
      }
    >
      Ask an owner of your organisation to connect a service.
    </EmptyState>
  )
}
