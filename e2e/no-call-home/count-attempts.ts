import { readFileSync } from 'node:fs'

/**
 * Counts the packets for which this network namespace had no route, since it was made: in one that has only loopback, each is an
 * attempt to reach another host, a name server included. The kernel counts them whatever process asked, and whatever it asked
 * with.
 */
export function countAttempts(): number {
  const [names = '', values = ''] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Ip:'))
  const column = names.split(' ').indexOf('OutNoRoutes')
  const version4 = Number(values.split(' ')[column])
  const version6 = Number(readFileSync('/proc/net/snmp6', 'utf8').match(/^Ip6OutNoRoutes\s+(\d+)$/m)?.[1] ?? 0)
  if (!Number.isInteger(version4 + version6)) throw new Error('The kernel does not count packets without a route.')
  return version4 + version6
}
