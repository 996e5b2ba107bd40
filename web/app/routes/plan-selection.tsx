import { useSearchParams } from 'react-router'
import { PlanSelectionScreen } from '#web/features/billing/plan-selection-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

/** With `?look=simple`, one plan a line and nothing else. */
export default function PlanSelectionRoute() {
  const [search] = useSearchParams()
  return (
    <WithPlanStanding>
      {(standing, organization) => (
        <PlanSelectionScreen
          standing={standing}
          organization={organization}
          isSimple={search.get('look') === 'simple'}
        />
      )}
    </WithPlanStanding>
  )
}
