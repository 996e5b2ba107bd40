import { useLocation } from 'react-router'
import { readBackend, useConfig } from '../lib/config.tsx'
import { useServerParts } from '../lib/page-context.ts'

/** Makes the calls that the screen begins with before its code is loaded. In the browser's own rendering it is empty. */
export function EarlyCallsScript() {
  const { scriptNonce, writeEarlyCallsScript } = useServerParts()
  const { pathname } = useLocation()
  const backend = readBackend(useConfig())
  if ('missing' in backend) return null
  const html = writeEarlyCallsScript?.(pathname, backend) ?? ''
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code; as a text child it would be escaped and not run
  return <script nonce={scriptNonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
}
