import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouteError } from 'react-router'
import { ErrorScreen, InFrame } from './error-screens.tsx'

/** The dashboard's main area. A screen that crashes keeps the sidebar, so other screens stay reachable. */
export default function DashboardContent() {
  return <Outlet />
}

export function ErrorBoundary() {
  // The answer that the screen stumbled over may still be in the cache. The frame's own are in use and stay.
  const queryClient = useQueryClient()
  return (
    <InFrame>
      <ErrorScreen error={useRouteError()} onRetry={() => queryClient.removeQueries({ type: 'inactive' })} />
    </InFrame>
  )
}
