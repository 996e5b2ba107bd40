import { OutboundError } from './outbound-error.ts'

/** Where a URL leads. */
export interface Target {
  /** As the URL parser writes it, without a trailing dot or the brackets of IPv6. */
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/**
 * Reads a URL that someone typed, with its host as the URL parser writes it: `http://2130706433/` becomes
 * `http://127.0.0.1/`.
 *
 * @throws OutboundError `address_refused` for anything but an http(s) URL without credentials.
 */
export function readTarget(text: string): { url: URL; target: Target } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw refuse('Enter a full URL, such as https://example.com/hooks.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse('Enter a URL that starts with https:// or http://.')
  }
  if (url.username !== '' || url.password !== '') throw refuse('Remove the user name and password from the URL.')
  // `localhost.` and `localhost` are the same host; rules know the second form only.
  url.hostname = url.hostname.replace(/\.$/, '')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host.length > 253 || host.split('.').includes('')) throw refuse(`${host} is not a valid host name.`)
  const isSecure = url.protocol === 'https:'
  return { url, target: { host, port: Number(url.port) || (isSecure ? 443 : 80), isSecure } }
}

export function refuse(sentence: string): OutboundError {
  return new OutboundError('address_refused', sentence)
}
