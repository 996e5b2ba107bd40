import { lazy, type ReactNode, Suspense } from 'react'

const nothing = { default: (_props: { about: unknown }): ReactNode => null }
// Loaded after a failure alone. Without a network it stays away.
const RequestId = lazy(() =>
  import('./request-id.tsx').then(
    (code): typeof nothing => ({ default: code.RequestId }),
    () => nothing,
  ),
)

/** The request ID of an error that the server answered; nothing for any other. */
export function RequestNote({ error }: { error: unknown }) {
  // Anything can be thrown; what is missing is undefined. A problem is of our API, data of an answer to the router.
  const { problem, data } = (error ?? {}) as { problem?: unknown; data?: unknown }
  const about = problem || data
  return about ? (
    <Suspense>
      <RequestId about={about} />
    </Suspense>
  ) : null
}
