import { TrialExpiredScreen } from '#web/features/billing/trial-expired-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default function SimpleTrialExpiredRoute() {
  return (
    <WithPlanStanding>
      {(standing, organization) => <TrialExpiredScreen isSimple standing={standing} organization={organization} />}
    </WithPlanStanding>
  )
}
