import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { isRouteErrorResponse, Link, useLocation, useNavigate } from 'react-router'
import { reportError } from '../lib/analytics.ts'
import { withBasePath } from '../lib/base-path.ts'
import { useServerParts } from '../lib/page-context.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/class-names.ts'
import { LogoMark } from '../ui/logo.tsx'
import { RequestNote } from '../ui/request-note.tsx'

const FrameContext = createContext(false)

/** Screens inside a frame fill its main area instead of the whole page. */
export function InFrame({ children }: { children: ReactNode }) {
  return <FrameContext value={true}>{children}</FrameContext>
}

/** The layout of error screens: code, title, message and actions. */
export function MessageScreen({
  code,
  title,
  children,
  actions,
}: {
  code?: string
  title: string
  children: ReactNode
  actions?: ReactNode
}) {
  const isInFrame = useContext(FrameContext)
  const Part = isInFrame ? 'div' : 'main'
  return (
    <Part
      className={cn(
        'flex flex-col items-center justify-center gap-6 px-6 py-16 text-center',
        isInFrame ? 'flex-1' : 'min-h-dvh',
      )}
    >
      {!isInFrame && <LogoMark className="size-10" />}
      <div className="flex max-w-md flex-col items-center gap-2">
        {code !== undefined && <p className="font-medium text-muted text-sm tabular-nums">{code}</p>}
        <h1 className="font-semibold text-2xl">{title}</h1>
        <div className="text-lg text-muted">{children}</div>
      </div>
      {actions !== undefined && <div className="flex flex-wrap justify-center gap-2">{actions}</div>}
    </Part>
  )
}

function reloadPage(): void {
  window.location.reload()
}

const leaveOrReload = (
  <>
    <Button asChild>
      <Link to="/dashboard">Go to Dashboard</Link>
    </Button>
    {/* The script of public pages finds it by its mark: they run no handlers. */}
    <Button variant="secondary" onClick={reloadPage} data-reload>
      Reload Page
    </Button>
  </>
)

export function NotFoundScreen() {
  return (
    <>
      <title>Page not found · Earshot</title>
      <MessageScreen code="404" title="Page not found" actions={leaveOrReload}>
        <p>The page you're looking for doesn't exist or has been moved.</p>
      </MessageScreen>
    </>
  )
}

/** The ID of the request that failed: it is named by its answer or, where the page itself failed, by the server that rendered it. */
function FailedRequest({ error }: { error: unknown }) {
  const { requestNote = '' } = useServerParts()
  return (
    <>
      <RequestNote error={error} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server's markup; the browser, which has none, leaves it as it is */}
      <p suppressHydrationWarning dangerouslySetInnerHTML={{ __html: requestNote }} />
    </>
  )
}

/** An error that the app or its server declared, e.g. with `throw data(null, { status: 503 })`. */
function GenericErrorScreen({
  error,
  status,
  title = 'Something went wrong',
  message = 'We encountered an unexpected error. Please try again.',
}: {
  error: unknown
  status: number
  title?: string | undefined
  message?: string | undefined
}) {
  return (
    <>
      <title>{`${title} · Earshot`}</title>
      <MessageScreen code={String(status)} title={title} actions={leaveOrReload}>
        <p>{message}</p>
        <FailedRequest error={error} />
      </MessageScreen>
    </>
  )
}

/** An unexpected exception. */
function CrashScreen({ error, onRetry }: { error: unknown; onRetry: (() => void) | undefined }) {
  const navigate = useNavigate()
  const location = useLocation()
  const retry = () => {
    onRetry?.()
    // Navigating to the current location renders the screen again.
    navigate(location, { replace: true })
  }
  return (
    <>
      <title>Something went wrong · Earshot</title>
      <MessageScreen
        title="Oops! Something went wrong"
        actions={
          <>
            {/* On public pages, which run no handlers, both load the page again. */}
            <Button onClick={retry} data-reload>
              Try Again
            </Button>
            <Button variant="secondary" onClick={reloadPage} data-reload>
              Reload Page
            </Button>
            <Button variant="secondary" asChild>
              {/* A full page load drops the broken state. */}
              <a href={withBasePath('/dashboard')}>Go to Dashboard</a>
            </Button>
          </>
        }
      >
        <p>We encountered an unexpected error. Please try again.</p>
        <FailedRequest error={error} />
      </MessageScreen>
    </>
  )
}

/** The screen for an error that a route threw. `onRetry` resets the state that may have caused it. */
export function ErrorScreen({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  useEffect(() => {
    if (!isRouteErrorResponse(error)) reportError(error, 'crash_screen')
    else if (error.status >= 500) reportError(new Error(`The server answered ${error.status}`), 'error_screen')
  }, [error])
  if (!isRouteErrorResponse(error)) return <CrashScreen error={error} onRetry={onRetry} />
  if (error.status === 404) return <NotFoundScreen />
  // What a loader has thrown; both fields are unknown, and checked below.
  const detail = error.data as { title?: unknown; message?: unknown } | null
  return (
    <GenericErrorScreen
      error={error}
      status={error.status}
      title={typeof detail?.title === 'string' ? detail.title : undefined}
      message={typeof detail?.message === 'string' ? detail.message : undefined}
    />
  )
}

export function AccessDeniedScreen() {
  return (
    <div className="flex min-h-[60vh] flex-1 flex-col items-center justify-center gap-2 px-6 text-center">
      <title>Access Denied · Earshot</title>
      <h1 className="font-semibold text-2xl">Access Denied</h1>
      <p className="text-lg text-muted">You don't have permission to access this page.</p>
      <Button asChild variant="secondary" className="mt-4">
        <Link to="/dashboard">Go to Dashboard</Link>
      </Button>
    </div>
  )
}
