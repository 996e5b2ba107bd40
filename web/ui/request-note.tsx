import { lazy, type ReactNode, Suspense } from 'react'

const nothing = { default: (_props: { id: string }): ReactNode => null }
// Loaded after a failure alone. Without a network it stays away.
const RequestId = lazy(() =>
  import('./request-id.tsx').then(
    (code): typeof nothing => ({ default: code.RequestId }),
    () => nothing,
  ),
)

/** The request ID of an error that the server answered; nothing for any other. */
export function RequestNote({ error }: { error: unknown }) {
  // Anything can be thrown; what is missing is undefined.
  const id = (error as { problem?: { requestId?: string } } | null)?.problem?.requestId
  return id ? (
    <Suspense>
      <RequestId id={id} />
    </Suspense>
  ) : null
}
