/** The address to link to, if it is safe to: http and https only. What visitors send can be any scheme. */
export function findSafeHref(url: string): string | undefined {
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
  } catch {
    return undefined
  }
}

/** More characters than this may not fit into a row. */
const maxRowLength = 22

/** The page of an address for a row: its path, or the last part of it, or the host. Whole parts only, so that it is not cut. */
export function shortenPage(url: string): string {
  const path = formatPage(url).replace(/[?#].*$/s, '')
  const [host = '', ...parts] = path.split('/').filter((part) => part !== '')
  const last = parts.at(-1)
  if (last === undefined) return host
  return [`/${parts.join('/')}`, `…/${last}`].find((shown) => shown.length <= maxRowLength) ?? host
}

/** An address for people: without scheme, `www.` and a bare slash at the end. */
export function formatPage(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/^([^/?#]+)\/$/, '$1')
}
