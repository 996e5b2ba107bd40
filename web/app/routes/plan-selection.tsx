import { PlanSelectionScreen } from '#web/features/billing/plan-selection-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default function PlanSelectionRoute() {
  return (
    <WithPlanStanding>
      {(standing, organization) => <PlanSelectionScreen standing={standing} organization={organization} />}
    </WithPlanStanding>
  )
}
