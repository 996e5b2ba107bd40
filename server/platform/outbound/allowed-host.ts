import { type IpAddress, type IpRange, isInRange, readIpRange, unwrapIpv4 } from './ip-address.ts'

/** An entry of the operator's allow-list. */
export interface AllowedHost {
  /** The only port that it allows. Undefined: the standard ports. */
  readonly port: number | undefined
  /** Undefined where the entry is a range. A leading dot: every name that ends like this. */
  readonly name: string | undefined
  readonly range: IpRange | undefined
}

/**
 * Reads `gitlab.internal`, `*.internal`, `10.0.0.5`, `10.0.0.0/8` or `fd00::/8`, each with a port if one is named:
 * `gitlab.internal:3000`, `10.0.0.0/8:3000`, `[fd00::/8]:3000`.
 *
 * @returns undefined for any other text.
 */
export function readAllowedHost(text: string): AllowedHost | undefined {
  const parts = /^\[(?<inner>[^\]]+)\](?::(?<port>\d{1,5}))?$/.exec(text) ?? splitPort(text)
  const { inner = '', port } = parts?.groups ?? {}
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  const range = readIpRange(inner)
  const name = range ? undefined : readName(inner)
  if (!range && !name) return undefined
  return { port: port === undefined ? undefined : Number(port), name, range }
}

export function allowsName({ name }: AllowedHost, host: string): boolean {
  if (name === undefined) return false
  return name.startsWith('.') ? host.endsWith(name) : host === name
}

export function allowsAddress({ range }: AllowedHost, address: IpAddress): boolean {
  return range !== undefined && (isInRange(range, address) || isInRange(range, unwrapIpv4(address)))
}

/** A text with several colons is an IPv6 address without a port. */
function splitPort(text: string): RegExpExecArray | null {
  return /^(?<inner>[^:]+)(?::(?<port>\d{1,5}))?$/.exec(text) ?? /^(?<inner>[\da-f:.]+(?:\/\d+)?)$/i.exec(text)
}

/** As the URL parser writes the name, so that it equals the host of a URL. */
function readName(text: string): string | undefined {
  const isSuffix = text.startsWith('*.')
  const name = isSuffix ? text.slice(2) : text
  if (!/^[^\s/?#@:*]+$/.test(name) || !URL.canParse(`http://${name}`)) return undefined
  const host = new URL(`http://${name}`).hostname.replace(/\.$/, '')
  return isSuffix ? `.${host}` : host
}
