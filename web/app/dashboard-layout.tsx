import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouteError } from 'react-router'
import { FullSpinner } from '../ui/spinner.tsx'
import { DashboardFrame } from './dashboard-frame.tsx'
import { EarlyCallsScript } from './early-calls.tsx'
import { ErrorScreen } from './error-screens.tsx'

// With a loader that runs in the browser only, the server renders the fallback and nothing of the dashboard: the
// session lives in this browser's storage, where the server can't see it.
export async function clientLoader() {
  return null
}
clientLoader.hydrate = true as const

export function HydrateFallback() {
  return (
    <>
      {/* Screens that are named after what they show have no other title until they know it. */}
      <title>Earshot</title>
      {/* What the server sends of the dashboard is nothing to be found in a search. */}
      <meta name="robots" content="noindex" />
      <EarlyCallsScript />
      <FullSpinner />
    </>
  )
}

export default function DashboardLayout() {
  return (
    <DashboardFrame>
      <Outlet />
    </DashboardFrame>
  )
}

export function ErrorBoundary() {
  // The answer that a screen stumbled over may still be in the cache.
  const queryClient = useQueryClient()
  return <ErrorScreen error={useRouteError()} onRetry={() => queryClient.clear()} />
}
