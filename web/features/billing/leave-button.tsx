import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import type { PlanStanding } from './plan-standing.ts'

/** Leads out of a billing screen: to the dashboard, or to sign-in for someone who is signed out. */
export function LeaveButton({ standing, isPrimary }: { standing: PlanStanding; isPrimary: boolean }) {
  return (
    <Button asChild variant={isPrimary ? 'primary' : 'secondary'}>
      {standing.kind === 'unknown' ? <Link to="/login">Sign in</Link> : <Link to="/dashboard">Go to Dashboard</Link>}
    </Button>
  )
}
