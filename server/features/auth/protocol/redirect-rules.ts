import { isIP } from 'node:net'

/** Decides which redirects sign-in may use. */
export interface RedirectRules {
  /** The first allowed candidate, normalised; the site's URL if there is none. */
  choose(...candidates: readonly (string | undefined)[]): string
}

export interface RedirectOptions {
  readonly siteUrl: string
  /** Globs: `*` and `?` stop at `.` and `/`, `**` does not; `{a,b}` is either. Matched without the fragment. */
  readonly allowList: readonly string[]
  readonly production: boolean
}

const maxUrlLength = 2048
const scriptSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'])

export function createRedirectRules({ siteUrl, allowList, production }: RedirectOptions): RedirectRules {
  const site = new URL(siteUrl)
  const patterns = allowList.map(toPattern)

  function isAllowed(url: URL): boolean {
    if (scriptSchemes.has(url.protocol) || url.username !== '' || url.password !== '') return false
    if (isSameSite(url, site)) return true
    if (url.protocol === 'http:' || url.protocol === 'https:') {
      // The parser has already turned 2130706433, 0x7f.1 and their like into the address they mean.
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (isLoopback(host) && !production) return true
      if (isIP(host) !== 0) return false
      if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host)) return false
    }
    const withoutFragment = new URL(url)
    withoutFragment.hash = ''
    return patterns.some((pattern) => pattern.test(withoutFragment.href))
  }

  return {
    choose(...candidates) {
      for (const candidate of candidates) {
        if (!candidate || candidate.length > maxUrlLength || !URL.canParse(candidate)) continue
        const url = new URL(candidate)
        // The normalised form is returned: the browser must get exactly the checked URL.
        if (isAllowed(url)) return url.href
      }
      return siteUrl
    },
  }
}

// Development servers change ports, so loopback is the same site on each of them.
function isSameSite(url: URL, site: URL): boolean {
  if (url.protocol !== site.protocol || url.hostname !== site.hostname) return false
  return url.port === site.port || isLoopback(site.hostname)
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function toPattern(glob: string): RegExp {
  let depth = 0
  const source = glob.replaceAll(/\*\*|[*?{},]|[^*?{},]+/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^./]*'
    if (part === '?') return '[^./]'
    if (part === '{') {
      depth += 1
      return '(?:'
    }
    if (part === '}' && depth > 0) {
      depth -= 1
      return ')'
    }
    if (part === ',' && depth > 0) return '|'
    return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${source}${')'.repeat(depth)}$`)
}
