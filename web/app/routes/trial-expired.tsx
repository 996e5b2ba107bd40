import { useLocation } from 'react-router'
import { TrialExpiredScreen } from '#web/features/billing/trial-expired-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

/** Also at `/trial-expired/simple`, without the list of what remains. */
export default function TrialExpiredRoute() {
  const isSimple = useLocation().pathname.startsWith('/trial-expired/simple')
  return (
    <WithPlanStanding>
      {(standing, organization) => (
        <TrialExpiredScreen standing={standing} organization={organization} isSimple={isSimple} />
      )}
    </WithPlanStanding>
  )
}
