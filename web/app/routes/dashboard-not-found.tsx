import { data } from 'react-router'
import { useSession } from '../../lib/session.tsx'
import { DashboardFrame } from '../dashboard-frame.tsx'
import { InFrame, NotFoundScreen } from '../error-screens.tsx'

/** Every address below the dashboard that is not on the map. The answer's status says so. */
export function loader() {
  return data(null, { status: 404 })
}

/** With the sidebar for members. Others are told at once, and not only after signing in. */
export default function DashboardNotFound() {
  if (useSession().status === 'signed_out') return <NotFoundScreen />
  return (
    <DashboardFrame>
      <InFrame>
        <NotFoundScreen />
      </InFrame>
    </DashboardFrame>
  )
}
