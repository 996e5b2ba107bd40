/**
 * Whether the button may appear on a page: on the project's hosts, their subdomains, and always on the visitor's own
 * machine, where developers try things out. The server checks again; this only spares visitors of other sites a button
 * that cannot send.
 */
export function isHostAllowed(hostname: string, hosts: readonly string[]): boolean {
  return [...hosts, 'localhost', '127.0.0.1', '[::1]'].some((host) => `.${hostname}`.endsWith(`.${host}`))
}
