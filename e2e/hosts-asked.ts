import type { BrowserContext } from '@playwright/test'

/**
 * Notes which hosts all pages of a browser ask from now on, other than those that may be asked.
 *
 * @param expected e.g. the instance's address
 * @returns the others so far
 */
export function watchHosts(context: BrowserContext, expected: readonly (string | undefined)[]): () => string[] {
  const allowed = new Set(expected.flatMap((url) => (url === undefined ? [] : [new URL(url).host])))
  const others = new Set<string>()
  const note = (address: string) => {
    const { host, protocol } = new URL(address)
    if (/^(https?|wss?):$/.test(protocol) && !allowed.has(host)) others.add(host)
  }
  context.on('request', (request) => note(request.url()))
  const watchSockets = (page: { on(event: 'websocket', noted: (socket: { url(): string }) => void): unknown }) =>
    page.on('websocket', (socket) => note(socket.url()))
  context.pages().forEach(watchSockets)
  context.on('page', watchSockets)
  return () => [...others]
}
