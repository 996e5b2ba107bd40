/**
 * The host in what someone typed or pasted: `https://www.example.com:8080/shop?a=1` → `www.example.com`. What holds no
 * host comes back trimmed, for {@link findDomainProblem} to judge.
 */
export function reduceToHost(typed: string): string {
  return (
    typed
      .trim()
      .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
      .replace(/^\/\//, '')
      .replace(/[/?#\\].*$/s, '')
      .replace(/^.*@/, '')
      .replace(/:\d*$/, '')
      .replace(/\.$/, '')
      // Subdomains belong to a domain.
      .replace(/^\*\./, '')
      .toLowerCase()
  )
}

/** A first look at a host name, to help while typing; the server has the last word. Undefined when it looks right. */
export function findDomainProblem(typed: string): string | undefined {
  const host = reduceToHost(typed)
  if (host === '') return "Enter your website's domain, for example example.com."
  if (/\s/.test(host)) return 'A domain contains no spaces.'
  if (host === 'localhost') return undefined
  if (/^[\d.]+$/.test(host) && !/^(\d{1,3}\.){3}\d{1,3}$/.test(host)) {
    return 'This is a number, not a domain. Example: example.com'
  }
  if (!host.includes('.')) return `Did you mean ${host}.com? A domain has a dot in it.`
  if (host.startsWith('.') || host.includes('..')) return 'This is not a domain. Example: example.com'
  return undefined
}
