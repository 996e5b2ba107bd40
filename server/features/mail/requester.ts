import { isIPv4, isIPv6 } from 'node:net'
import { describeBrowser } from '#contract/describe-browser.ts'

/** The request that caused an email, so that its reader can tell their own from a stranger's. */
export interface Requester {
  readonly at: Date
  readonly userAgent: string | null
  readonly ip: string | null
}

/**
 * The request in an email's words: time, browser, and the network, if it is known. The network address is shortened: the
 * requester may be a stranger, whose whole address is none of the reader's business.
 */
export function describeRequester({
  at,
  userAgent,
  ip,
}: Requester): Record<'time' | 'browser' | 'networkAddress', string> {
  return {
    time: formatMoment(at),
    browser: describeBrowser(userAgent ?? '') ?? 'an unknown browser',
    networkAddress: (ip === null ? undefined : shortenAddress(ip)) ?? '',
  }
}

// The first three groups of either: of an IPv6 address, that is the /48 of one site.
function shortenAddress(ip: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.x`
  if (!isIPv6(ip)) return undefined
  const [head = ''] = ip.split('::')
  return `${head.split(':').slice(0, 3).filter(Boolean).join(':')}::x`
}

// The reader's time zone is unknown, so the text names UTC.
const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** "21 November 2026 at 05:40 UTC" */
export function formatMoment(moment: Date): string {
  return `${momentFormat.format(moment)} UTC`
}
