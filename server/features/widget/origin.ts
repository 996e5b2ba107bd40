/** What a request's Origin says about where the widget stands. */
export type OriginVerdict = 'own' | 'loopback' | 'foreign'

/**
 * Judges an Origin header against a project's domain. A page of the domain or a subdomain is the project's own;
 * loopback is somebody trying it out. A caller without an Origin is no browser's page: such senders (servers, apps)
 * can claim any origin, so the check keeps honest pages apart and is no protection against the others.
 */
export function judgeOrigin(origin: string | undefined, domain: string): OriginVerdict {
  if (origin === undefined) return 'own'
  if (!URL.canParse(origin)) return 'foreign'
  const { hostname, protocol } = new URL(origin)
  if (protocol !== 'http:' && protocol !== 'https:') return 'foreign'
  if (hostname === domain || hostname.endsWith(`.${domain}`)) return 'own'
  return isLoopback(hostname) ? 'loopback' : 'foreign'
}

/** Whether a host name (as in `URL.hostname`) is this very machine. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
