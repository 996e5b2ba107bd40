import { useQueryClient } from '@tanstack/react-query'
import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Outlet, useLocation, useRouteError } from 'react-router'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { OrganizationBoundary } from '../features/organizations/organization-boundary.tsx'
import { Button } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { MainRegion } from '../ui/main-region.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { AppShortcuts } from './app-shortcuts.tsx'
import { ErrorScreen } from './error-screens.tsx'
import { FollowOrganization } from './product-analytics.tsx'
import { RouteGuard } from './route-guard.tsx'
import { Sidebar } from './sidebar.tsx'

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
      <FullSpinner />
    </>
  )
}

export default function DashboardLayout() {
  return (
    <RouteGuard>
      <OrganizationBoundary>
        <FollowOrganization />
        <AppShortcuts />
        <DashboardFrame />
      </OrganizationBoundary>
    </RouteGuard>
  )
}

export function ErrorBoundary() {
  // The answer that a screen stumbled over may still be in the cache.
  const queryClient = useQueryClient()
  return <ErrorScreen error={useRouteError()} onRetry={() => queryClient.clear()} />
}

function DashboardFrame() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu
  useEffect(() => setMenuOpen(false), [pathname])
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-3 focus-visible:left-3 focus-visible:z-50 focus-visible:rounded-md focus-visible:bg-accent focus-visible:px-4 focus-visible:py-2 focus-visible:text-on-accent"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        className="sticky top-0 hidden h-dvh w-60 shrink-0 border-border border-r bg-surface md:block"
      >
        <Sidebar />
      </aside>
      <header className="sticky top-0 z-30 flex h-14 shrink-0 items-center gap-3 border-border border-b bg-surface px-4 md:hidden">
        <Button variant="ghost" size="icon" aria-label="Open menu" onClick={() => setMenuOpen(true)} className="-ml-2">
          <MenuIcon aria-hidden="true" className="size-5" />
        </Button>
        <Logo />
        <div className="ml-auto">
          <NotificationBell />
        </div>
      </header>
      <Sheet open={isMenuOpen} onOpenChange={setMenuOpen} title="Menu">
        <Sidebar />
      </Sheet>
      <MainRegion id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <Outlet />
      </MainRegion>
    </div>
  )
}
