import { CopyButton } from './copy-button.tsx'
import { findRequestHref } from './request-link.ts'

/** The id of a request that failed, for the person who is asked for help. */
export function RequestId({ id }: { id: string }) {
  const href = findRequestHref(id)
  return (
    <span className="mt-2 flex max-w-full flex-wrap items-center justify-center gap-x-1 text-muted text-sm">
      Request ID <code className="min-w-0 break-all text-xs">{id}</code>
      <CopyButton iconOnly variant="ghost" text={id} label="Copy request ID" />
      {href !== undefined && (
        // A full page load: the screen that failed may have left a broken state.
        <a href={href} className="text-accent-text underline">
          Log lines
        </a>
      )}
    </span>
  )
}
