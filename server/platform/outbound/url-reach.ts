import { isLoopback, isPublic, readIpAddress } from './ip-address.ts'
import { readTarget } from './target.ts'

/** From how far away an address can be reached: from this machine, from its network, or from the internet. */
const reaches = ['machine', 'network', 'internet'] as const

/**
 * Whether a server at one address can call another one, as far as the addresses tell: names of the internet are not looked up.
 */
export function canCall(caller: string, called: string): boolean {
  return reaches.indexOf(readReach(called)) >= reaches.indexOf(readReach(caller))
}

const localName = /^[^.]+$|\.(?:local|internal|lan|home\.arpa)$/

function readReach(url: string): (typeof reaches)[number] {
  const { host } = readTarget(url).target
  const address = readIpAddress(host)
  if (address) return isLoopback(address) ? 'machine' : isPublic(address) ? 'internet' : 'network'
  if (host === 'localhost' || host.endsWith('.localhost')) return 'machine'
  return localName.test(host) ? 'network' : 'internet'
}
