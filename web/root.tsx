import { type ReactNode, useEffect } from 'react'
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
} from 'react-router'
import { ErrorScreen } from './app/error-screens.tsx'
import { MissingConfigurationScreen, UnreadableConfigurationScreen } from './app/missing-configuration-screen.tsx'
import interBasic from './fonts/inter-basic.woff2?url'
import { startAnalytics } from './lib/analytics.ts'
import { ConfigProvider, readBackend } from './lib/config.tsx'
import { densityScript } from './lib/density.ts'
import { getPageContext, useServerParts } from './lib/page-context.ts'
import { themeScript } from './lib/theme.ts'
import { Toaster } from './ui/toaster.tsx'
import { Tooltips } from './ui/tooltip.tsx'
import './styles/app.css'

/** The font of most text comes with the code, not after it: words do not change their widths once they are shown. */
export function links() {
  return [{ rel: 'preload', href: interBasic, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' }]
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
        <script nonce={scriptNonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: lookScript }} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
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
          <script type="module" src={publicScript} nonce={scriptNonce} />
        )}
      </body>
    </html>
  )
}

/** The address of the script of public pages; undefined on pages of the app. See `app/site/site-layout.tsx`. */
function usePublicScript(): string | undefined {
  // React Router leaves a handle's type to the app.
  const handles = useMatches().map(({ handle }) => handle as { script?: string } | undefined)
  return handles.find((handle) => handle?.script !== undefined)?.script
}

export default function App() {
  const config = useLoaderData<typeof loader | undefined>()?.config
  useEffect(() => {
    if (config) startAnalytics(config)
  }, [config])
  if (!config) return <UnreadableConfigurationScreen />
  const backend = readBackend(config)
  if ('missing' in backend) return <MissingConfigurationScreen missing={backend.missing} />
  return (
    <ConfigProvider value={config}>
      <Outlet />
      <Toaster />
      <Tooltips />
    </ConfigProvider>
  )
}

export function ErrorBoundary() {
  return <ErrorScreen error={useRouteError()} />
}
