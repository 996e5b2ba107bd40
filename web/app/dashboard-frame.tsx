import { Menu as MenuIcon } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { OrganizationBoundary } from '../features/organizations/organization-boundary.tsx'
import { useIdleLoad } from '../lib/idle-load.ts'
import { useReadOnly } from '../lib/read-only.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/class-names.ts'
import { loadOverlays } from '../ui/late-overlays.ts'
import { Logo } from '../ui/logo.tsx'
import { MainRegion } from '../ui/main-region.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { AppShortcuts } from './app-shortcuts.tsx'
import { FollowOrganization } from './product-analytics.tsx'
import { RouteGuard } from './route-guard.tsx'
import { Sidebar } from './sidebar.tsx'
import { usePlanNotice } from './use-plan-notice.ts'

// Few see it, and its words would be loaded with every screen.
const PlanBanner = lazy(() => import('./plan-banner.tsx'))
const ReadOnlyBanner = lazy(() => import('./read-only-banner.tsx'))
const SuspendedTools = lazy(() => import('./suspended-tools.tsx'))

/** The sidebar around every screen of the dashboard, for members alone. */
export function DashboardFrame({ children }: { children: ReactNode }) {
  return (
    <RouteGuard>
      <OrganizationBoundary SuspendedTools={SuspendedTools}>
        <FollowOrganization />
        <AppShortcuts />
        <SidebarFrame>{children}</SidebarFrame>
      </OrganizationBoundary>
    </RouteGuard>
  )
}

function SidebarFrame({ children }: { children: ReactNode }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  useIdleLoad(loadOverlays, true)
  const isReadOnly = useReadOnly()
  const planNotice = usePlanNotice()
  const notice = !isReadOnly && planNotice
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu
  useEffect(() => setMenuOpen(false), [pathname])
  return (
    <div className="flex min-h-(--page) flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-3 focus-visible:left-3 focus-visible:z-50 focus-visible:rounded-md focus-visible:bg-accent focus-visible:px-4 focus-visible:py-2 focus-visible:text-on-accent"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        // Its menus lie within it, and reach over the page.
        className="sticky top-(--impersonation,0px) z-30 hidden h-(--page) w-60 shrink-0 border-border border-r bg-surface md:block"
      >
        <Sidebar />
      </aside>
      <header className="sticky top-(--impersonation,0px) z-30 flex h-14 shrink-0 items-center gap-3 border-border border-b bg-surface px-4 md:hidden">
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
      <MainRegion
        id="content"
        tabIndex={-1}
        // Screens as high as the window leave room for the banner.
        className={cn(
          'flex min-w-0 flex-1 flex-col outline-none',
          notice && '[--banner:2.5rem] max-lg:[--banner:4rem]',
        )}
      >
        {isReadOnly && (
          <Suspense>
            <ReadOnlyBanner />
          </Suspense>
        )}
        {notice && (
          <Suspense fallback={<div className="h-(--banner) shrink-0" />}>
            <PlanBanner notice={notice} />
          </Suspense>
        )}
        {children}
      </MainRegion>
    </div>
  )
}
