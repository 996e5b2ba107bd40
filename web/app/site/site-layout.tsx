import { Outlet, useRouteLoaderData } from 'react-router'
import type { PublicConfig } from '#contract/config.ts'
import { mayChooseAnalytics } from '../../lib/analytics.ts'
// Bundled as a file of its own, which no page of the app loads.
import script from './script/site-script.ts?worker&url'
import { SiteFooter, SiteHeader } from './site-frame.tsx'
import '../../styles/site.css'

/**
 * Public pages are rendered by the server and stay as they are: the browser loads neither React nor the app for them, but
 * one small script (see `script/`). So their components have no handlers and no effects.
 */
export const handle = { isPublic: true, script }

export default function SiteLayout() {
  const config = useRouteLoaderData<{ config: PublicConfig }>('root')?.config
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main className="flex flex-1 flex-col">
        <Outlet />
      </main>
      <SiteFooter hasAnalyticsChoice={config !== undefined && mayChooseAnalytics(config)} />
    </div>
  )
}
