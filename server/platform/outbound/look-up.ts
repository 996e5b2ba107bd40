import { lookup, Resolver } from 'node:dns/promises'
import { readErrorCode } from '../read-error.ts'

/**
 * All IP addresses of a host name; none: no such name.
 *
 * @throws when the name servers don't answer, or `signal` aborts.
 */
export type LookUp = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks the name servers. `dns.lookup` would occupy one of the few threads of the process, which files and password
 * hashes need as well, for as long as the name servers of a stranger like.
 */
export const lookUpInDns: LookUp = async (host, signal) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected' && !saysNone(answer.reason))
  if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason
  return addresses
}

/** Asks the operating system, which knows the hosts file and search domains: for names that the operator allowed. */
export const lookUpInSystem: LookUp = async (host) => {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    if (saysNone(error)) return []
    throw error
  }
}

function saysNone(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(readErrorCode(error) ?? '')
}
