import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4 (32 bits) or IPv6 (128 bits) address as a number. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** All addresses that share their first `prefix` bits with `start`. */
export interface IpRange {
  readonly start: IpAddress
  readonly prefix: number
}

/** The address; undefined for any other text. IPv4 in four decimal parts only, IPv6 without a zone (`%eth0`). */
export function readIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { bits: 32, value: joinParts(text.split('.').map(Number), 8n) }
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = [], tail = []] = text.split('::').map(readHextets)
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0)
  return { bits: 128, value: joinParts([...head, ...zeros, ...tail], 16n) }
}

/** `10.0.0.0/8`, `fd00::/8`, or one address; undefined for any other text. */
export function readIpRange(text: string): IpRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const start = readIpAddress(address)
  if (!start || rest.length > 0) return undefined
  if (prefix === undefined) return { start, prefix: start.bits }
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= start.bits ? { start, prefix: Number(prefix) } : undefined
}

export function isInRange({ start, prefix }: IpRange, { bits, value }: IpAddress): boolean {
  const shift = BigInt(start.bits - prefix)
  return bits === start.bits && value >> shift === start.value >> shift
}

/**
 * The IPv4 address to which packets for an IPv4-mapped or NAT64 address go; any other address as it is. Hosts in networks
 * without IPv4 resolve every name to NAT64 addresses (RFC 6147), so that range can't be refused as a whole.
 */
export function unwrapIpv4(address: IpAddress): IpAddress {
  return wrappers.some((range) => isInRange(range, address))
    ? { bits: 32, value: address.value & 0xff_ff_ff_ffn }
    : address
}

export function isLoopback(address: IpAddress): boolean {
  const unwrapped = unwrapIpv4(address)
  return loopback.some((range) => isInRange(range, unwrapped))
}

/** Whether an address of the public internet, by the special-purpose registries of IANA. */
export function isPublic(address: IpAddress): boolean {
  const unwrapped = unwrapIpv4(address)
  if (unwrapped.bits === 128 && !isInRange(globalUnicast, unwrapped)) return false
  return !reserved.some((range) => isInRange(range, unwrapped))
}

const wrappers = ['::ffff:0:0/96', '64:ff9b::/96'].map(range)
const loopback = ['127.0.0.0/8', '::1'].map(range)

/** Every other IPv6 range is local, multicast, discard-only or unassigned. */
const globalUnicast = range('2000::/3')

const reserved = [
  '0.0.0.0/8', // this network; Linux connects 0.0.0.0 to itself
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; 100.100.100.200 is the metadata service of Alibaba Cloud
  '127.0.0.0/8',
  '168.63.129.16', // Azure's host agent: a public address that only virtual machines there reach
  '169.254.0.0/16', // link-local; 169.254.169.254 is the metadata service of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments; 192.0.0.192 is the metadata service of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '2001::/23', // protocol assignments: Teredo, which contains an IPv4 address, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '3fff::/20', // documentation
].map(range)

function range(text: string): IpRange {
  const read = readIpRange(text)
  if (!read) throw new Error(`${text} is not a range of addresses`)
  return read
}

/** The 16-bit parts of one side of `::`; an IPv4 ending counts as two. */
function readHextets(side: string): number[] {
  const parts = side.split(':').filter((part) => part !== '')
  return parts.flatMap((part) => {
    if (!part.includes('.')) return Number.parseInt(part, 16)
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

function joinParts(parts: readonly number[], bitsEach: bigint): bigint {
  return parts.reduce((value, part) => (value << bitsEach) | BigInt(part), 0n)
}
