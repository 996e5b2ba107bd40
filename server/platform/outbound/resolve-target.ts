import { type AllowedHost, allowsAddress, allowsName, readAllowedHost } from './allowed-host.ts'
import { type IpAddress, isLoopback, isPublic, readIpAddress } from './ip-address.ts'
import { type LookUp, lookUpInDns, lookUpInSystem } from './look-up.ts'
import { OutboundError } from './outbound-error.ts'
import { refuse, type Target } from './target.ts'

export interface ResolveOptions {
  /** Host names, `*.suffix`, addresses and CIDR ranges, each with a port if one is named. */
  readonly allowedHosts: readonly string[]
  /** Allows every port of `localhost` and of written loopback addresses, but no other name that resolves to them. */
  readonly allowLoopback: boolean
  /** Refuses http:// for hosts that `allowedHosts` doesn't contain. Default false. */
  readonly requireHttps?: boolean
  /** Replaces the name servers and the operating system's lookup. */
  readonly lookup?: LookUp
  /** Default 3,000. */
  readonly lookupTimeoutMs?: number
}

/**
 * The addresses of a target, each of them checked.
 *
 * @throws OutboundError `address_refused` when any of them may not be reached, `not_found` for an unknown name,
 * `timeout` or `unreachable` when the lookup failed.
 */
export type ResolveTarget = (target: Target) => Promise<readonly string[]>

const standardPorts: readonly number[] = [80, 443, 8080, 8443]

/** @throws Error for an entry of the allow-list that can't be read. */
export function createTargetResolver(options: ResolveOptions): ResolveTarget {
  const { allowLoopback, requireHttps = false, lookup, lookupTimeoutMs = 3_000 } = options
  const allowed = options.allowedHosts.map(readEntry)
  const find = (target: Target, lookUp: LookUp) => lookUpInTime(target.host, lookup ?? lookUp, lookupTimeoutMs)

  /** Refuses the port, or the lack of encryption, of addresses that are not on the allow-list. */
  const requireStandard = ({ port, isSecure }: Target) => {
    if (!standardPorts.includes(port)) {
      throw refuse(`Port ${port} is not allowed. Use ${standardPorts.join(', ')}, or ask the operator to allow it.`)
    }
    if (requireHttps && !isSecure) throw refuse('Enter a URL that starts with https://.')
  }

  return async (target) => {
    const { host } = target
    const entries = allowed.filter(({ port }) => (port === undefined ? isStandard(target) : port === target.port))
    const written = readIpAddress(host)
    if (entries.some((entry) => allowsName(entry, host))) return find(target, lookUpInSystem)
    if (allowLoopback && (written ? isLoopback(written) : isLocalName(host))) {
      return written ? [host] : ['127.0.0.1', '::1']
    }
    // Before the lookup, unless an address that it may find is on the allow-list.
    if (entries.every(({ range }) => range === undefined)) requireStandard(target)
    const addresses = written ? [host] : isLocalName(host) ? ['127.0.0.1', '::1'] : await find(target, lookUpInDns)
    for (const address of addresses) {
      const ip = readIpAddress(address)
      if (ip && isListed(entries, ip)) continue
      // One private address among public ones is enough: another request could be sent there.
      if (!ip || !isPublic(ip)) throw refusePrivate(host)
      requireStandard(target)
    }
    return addresses
  }
}

function readEntry(text: string): AllowedHost {
  const entry = readAllowedHost(text)
  if (!entry) throw new Error(`\`${text}\` is not a host, an address or a CIDR range`)
  return entry
}

function isListed(entries: readonly AllowedHost[], address: IpAddress): boolean {
  return entries.some((entry) => allowsAddress(entry, address))
}

function isStandard({ port }: Target): boolean {
  return standardPorts.includes(port)
}

/** Loopback by RFC 6761; name servers are not asked for them. */
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function refusePrivate(host: string): OutboundError {
  return refuse(`${host} is in a private or reserved network. Use a public address, or ask the operator to allow it.`)
}

/** @throws OutboundError */
async function lookUpInTime(host: string, lookUp: LookUp, timeoutMs: number): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  let addresses: readonly string[]
  try {
    addresses = await Promise.race([lookUp(host, signal), late])
  } catch (error) {
    if (signal.aborted) throw new OutboundError('timeout', `The name servers of ${host} didn’t answer in time.`, error)
    throw new OutboundError('unreachable', `The name servers of ${host} couldn’t be reached.`, error)
  }
  if (addresses.length === 0) throw new OutboundError('not_found', `${host} wasn’t found. Check the URL.`)
  return addresses
}
