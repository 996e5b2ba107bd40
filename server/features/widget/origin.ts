/** The verdict on the site that the widget runs on. */
export type OriginVerdict = 'own' | 'loopback' | 'foreign'

/**
 * Compares an Origin header with a project's hosts. A page of one of them or of a subdomain is the project's own;
 * loopback and our own pages are trials. A caller without an Origin is no browser's page: such senders (servers, apps)
 * can claim any origin, so the check only keeps honest pages apart and protects against nothing else.
 */
export function judgeOrigin(origin: string | undefined, hosts: readonly string[], appOrigin: string): OriginVerdict {
  if (origin === undefined) return 'own'
  if (!URL.canParse(origin)) return 'foreign'
  const { hostname, protocol } = new URL(origin)
  if (protocol !== 'http:' && protocol !== 'https:') return 'foreign'
  if (hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return 'own'
  return isLoopback(hostname) || origin === appOrigin ? 'loopback' : 'foreign'
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
