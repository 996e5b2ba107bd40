import { TrialExpiredScreen } from '#web/features/billing/trial-expired-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default function TrialExpiredRoute() {
  return (
    <WithPlanStanding>
      {(standing, organization) => <TrialExpiredScreen standing={standing} organization={organization} />}
    </WithPlanStanding>
  )
}
