import { CopyButton } from './copy-button.tsx'
import { findRequestHref } from './request-link.ts'

/** The id of a request that failed, for the person who is asked for help. @param about the answer, as far as it is known */
export function RequestId({ about }: { about: unknown }) {
  const id = findId(about)
  if (!id) return null
  const href = findRequestHref(id)
  return (
    <span className="mt-2 block text-muted text-sm">
      Request ID{' '}
      <span className="inline-flex max-w-full items-center">
        <code className="min-w-0 break-all text-xs">{id}</code>
        <CopyButton iconOnly variant="ghost" text={id} label="Copy request ID" />
      </span>{' '}
      {href !== undefined && (
        // A full page load: the screen that failed may have left a broken state.
        <a href={href} className="text-accent-text underline">
          Log lines
        </a>
      )}
    </span>
  )
}

/** The id that an answer names: as an object, or as the text of one. */
function findId(about: unknown): string | undefined {
  let answer = about
  try {
    if (typeof about === 'string') answer = JSON.parse(about)
  } catch {
    // A page of a proxy.
  }
  // Anything can be an answer; what is missing is undefined.
  const id = (answer as { requestId?: unknown } | null)?.requestId
  return typeof id === 'string' && id !== '' ? id : undefined
}
