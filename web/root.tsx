import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import {
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import type { PublicConfig } from '#contract/config.ts'
import { ErrorScreen } from './app/error-screens.tsx'
import { MissingConfigurationScreen, UnreadableConfigurationScreen } from './app/missing-configuration-screen.tsx'
import interBasic from './fonts/inter-basic.woff2?url'
import { isMeasuringConfigured, mayChooseAnalytics, startAnalytics } from './lib/analytics.ts'
import { signalLoaded } from './lib/app-loaded.ts'
import { withBasePath } from './lib/base-path.ts'
import { ConfigProvider, readBackend } from './lib/config.tsx'
import { densityScript } from './lib/density.ts'
import { useHydrated } from './lib/hydrated.ts'
import { getPageContext, useServerParts } from './lib/page-context.ts'
import { signedInScript } from './lib/stored-session.ts'
import { themeScript } from './lib/theme.ts'
import { Toaster } from './ui/toaster.tsx'
import { Tooltips } from './ui/tooltip.tsx'
import './styles/app.css'

/** The font of most text comes with the code, not after it: words do not change their widths once they are shown. */
export function links() {
  return [{ rel: 'preload', href: withBasePath(interBasic), as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' }]
}

/** Settings come with the page, not with the build: one build serves any instance. */
export function loader({ context }: LoaderFunctionArgs) {
  return { config: getPageContext(context).publicConfig }
}

export function shouldRevalidate() {
  return false
}

/** Before the first paint. */
const lookScript = themeScript + densityScript

export function Layout({ children }: { children: ReactNode }) {
  const { scriptNonce, styleNonce } = useServerParts()
  const publicScript = usePublicScript()
  const firstScript = publicScript === undefined ? lookScript : lookScript + signedInScript
  // Here, since error screens stand outside of the app.
  const config = useRouteLoaderData<typeof loader>('root')?.config
  useEffect(() => {
    if (config) startAnalytics(config)
  }, [config])
  useEffect(signalLoaded, [])
  return (
    // The theme script sets an attribute before React looks.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fafbfb" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1416" media="(prefers-color-scheme: dark)" />
        <meta property="csp-nonce" nonce={styleNonce} suppressHydrationWarning />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; as a text child it would be escaped and not run */}
        <script nonce={scriptNonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: firstScript }} />
        <link rel="icon" href={withBasePath('/favicon.svg')} type="image/svg+xml" />
        <Meta />
        {/* Styles come from our own origin and need no nonce; with one, React would find it hidden by the browser. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        {publicScript === undefined ? (
          <>
            <ScrollRestoration nonce={scriptNonce} />
            <Scripts nonce={scriptNonce} />
          </>
        ) : (
          <>
            {config && isMeasuringConfigured(config) && <PublicConfigData config={config} />}
            <script type="module" src={withBasePath(publicScript)} nonce={scriptNonce} />
          </>
        )}
      </body>
    </html>
  )
}

const ConsentBanner = lazy(() => import('./app/consent-banner.tsx'))

/** What the script of public pages needs to know of analytics. Pages without them carry no settings. */
function PublicConfigData({ config }: { config: PublicConfig }) {
  // As text in a script, only an end tag could end it.
  const data = JSON.stringify(config).replaceAll('<', '\\u003c')
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that contains no markup
  return <script id="public-config" type="application/json" dangerouslySetInnerHTML={{ __html: data }} />
}

/** The address of the script of public pages; undefined on pages of the app. See `app/site/site-layout.tsx`. */
function usePublicScript(): string | undefined {
  // React Router leaves a handle's type to the app.
  const handles = useMatches().map(({ handle }) => handle as { script?: string } | undefined)
  return handles.find((handle) => handle?.script !== undefined)?.script
}

export default function App() {
  const config = useLoaderData<typeof loader | undefined>()?.config
  const isHydrated = useHydrated()
  if (!config) return <UnreadableConfigurationScreen />
  const backend = readBackend(config)
  if ('missing' in backend) return <MissingConfigurationScreen missing={backend.missing} />
  return (
    <ConfigProvider value={config}>
      {isHydrated && mayChooseAnalytics(config) && (
        <Suspense>
          <ConsentBanner />
        </Suspense>
      )}
      <Outlet />
      <Toaster />
      <Tooltips />
    </ConfigProvider>
  )
}

export function ErrorBoundary() {
  return <ErrorScreen error={useRouteError()} />
}
