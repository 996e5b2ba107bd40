import type { maxMessageLength as ContractLimit, Submission } from '#contract/widget.ts'
import type { Visitor } from '../loader/stage.ts'
import type { Draft } from './draft.ts'

/** Characters (code points); the contract's own number, which only its type may be imported of. */
export const maxMessageLength: typeof ContractLimit = 10_000
const maxEmailLength = 254
const maxMetadataLength = 60_000

/** Length as the server counts it: an emoji is one character. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}

/** A first look; the server has the last word. */
export function looksLikeEmail(email: string): boolean {
  return email.length <= maxEmailLength && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)
}

/** The page's address without what could sign somebody in: values of telling parameters, in query and fragment. */
export function redactUrl(url: string): string {
  return url.replace(/([?#&][^=&#]*(?:token|key|secret|code|pass|auth|session|sig)[^=&#]*=)[^&#]*/gi, '$1redacted')
}

function readContext(): Record<string, unknown> {
  const matches = (query: string) => window.matchMedia(query).matches
  return {
    userAgent: navigator.userAgent,
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    viewport: { width: window.innerWidth, height: window.innerHeight, pixelRatio: window.devicePixelRatio },
    screen: { width: screen.width, height: screen.height },
    colorScheme: matches('(prefers-color-scheme: dark)') ? 'dark' : 'light',
    touch: matches('(pointer: coarse)'),
    online: navigator.onLine,
    ...(document.referrer && { referrer: redactUrl(document.referrer).slice(0, 4096) }),
  }
}

/** A copy of what the site attached, or nothing if JSON or the server's limits cannot hold it: the text matters more. */
function copyMetadata(metadata: Record<string, unknown>): Record<string, unknown> | undefined {
  try {
    const json = JSON.stringify(metadata)
    if (json !== '{}' && json.length <= maxMetadataLength) return JSON.parse(json)
    if (json !== '{}') console.warn('Earshot: the metadata is too large and was left out.')
  } catch {
    console.warn('Earshot: the metadata is not JSON and was left out.')
  }
  return undefined
}

/** Everything of a submission but its id. Context is read here, when the visitor sends, and not before. */
export function buildSubmission(
  draft: Draft,
  visitor: Visitor,
  metadata: Record<string, unknown>,
): Omit<Submission, 'id'> {
  // What the site told us is not the visitor's fault: it is left out rather than refused.
  const known = visitor.email && looksLikeEmail(visitor.email) ? visitor.email : undefined
  const email = draft.email.trim() || known
  const copied = copyMetadata(metadata)
  const title = document.title.slice(0, 400)
  return {
    type: draft.type || 'other',
    message: draft.message.trim(),
    ...(draft.rating > 0 && { rating: draft.rating }),
    ...(email && { email }),
    ...(visitor.name && { name: `${visitor.name}`.slice(0, 200) }),
    page: { url: redactUrl(location.href).slice(0, 4096), ...(title && { title }) },
    context: readContext(),
    ...(copied && { metadata: copied }),
  }
}
