/** The address to link to, if it is safe to: http and https only. What visitors send can be any scheme. */
export function findSafeHref(url: string): string | undefined {
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
  } catch {
    return undefined
  }
}

/** An address for people: without scheme, `www.` and a bare slash at the end. */
export function formatPage(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/^([^/?#]+)\/$/, '$1')
}
