import { useSearchParams } from 'react-router'
import { TrialExpiredScreen } from '#web/features/billing/trial-expired-screen.tsx'
import { WithPlanStanding } from '../plan-standing.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

/** With `?look=simple`, without the list of what remains. */
export default function TrialExpiredRoute() {
  const [search] = useSearchParams()
  return (
    <WithPlanStanding>
      {(standing) => <TrialExpiredScreen standing={standing} isSimple={search.get('look') === 'simple'} />}
    </WithPlanStanding>
  )
}
