/** Whether a host name is the visitor's own machine, where developers try things out. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Whether the button may appear on a page: on the project's hosts, their subdomains, and always on loopback.
 * The server checks again; this only spares visitors of other sites a button that cannot send.
 */
export function isHostAllowed(hostname: string, hosts: readonly string[]): boolean {
  return isLoopback(hostname) || hosts.some((host) => `.${hostname}`.endsWith(`.${host}`))
}
