/*
 * Where codes may be sent: websites by https, programs on the same device by http on a loopback address, and apps by a
 * scheme of their own (RFC 8252).
 */

/** Schemes that a browser opens itself, or that run or show what stands in the address. */
const refusedSchemes =
  /^(?:javascript|data|vbscript|file|blob|about|view-source|filesystem|ftps?|wss?|mailto|tel|sms|intent|chrome|chrome-extension|moz-extension|edge|resource|jar):$/

/** Why an app can’t register an address; undefined: it can. */
export function findRedirectProblem(text: string): string | undefined {
  if (text.length > 2000 || !/^[!-~]+$/.test(text) || !URL.canParse(text)) return 'is not an address'
  const url = new URL(text)
  if (text.includes('#')) return 'must not have a fragment'
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') return isLoopback(url) ? undefined : 'must use https, except on a loopback address'
  return refusedSchemes.test(url.protocol) ? 'has a scheme that is not allowed' : undefined
}

/** Whether a code may be sent there: exactly a registered address, on loopback with any port (RFC 8252, section 7.3). */
export function isRegistered(registered: readonly string[], text: string): boolean {
  if (registered.includes(text)) return true
  if (findRedirectProblem(text) !== undefined) return false
  return isLoopback(new URL(text)) && registered.some((each) => withoutPort(each) === withoutPort(text))
}

/** The host, or the scheme of an app on the device. */
export function describeRedirect(text: string): { host: string; isLocal: boolean } {
  const url = new URL(text)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return { host: isWeb ? url.host : url.protocol, isLocal: !isWeb || isLoopback(url) }
}

/** The address with parameters added to its query. */
export function addToQuery(text: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(text)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

/** As text, so that the rest is compared as it was sent: `/a/../b` is not `/b`. */
function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1')
}
