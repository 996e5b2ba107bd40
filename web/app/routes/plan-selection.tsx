import { useLocation } from 'react-router'
import { PlanSelectionScreen } from '#web/features/billing/plan-selection-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

/** Also at `/plan-selection/simple`, with one plan a line and nothing else. */
export default function PlanSelectionRoute() {
  const isSimple = useLocation().pathname.startsWith('/plan-selection/simple')
  return (
    <WithPlanStanding>
      {(standing, organization) => (
        <PlanSelectionScreen standing={standing} organization={organization} isSimple={isSimple} />
      )}
    </WithPlanStanding>
  )
}
