import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The host name that someone typed, as browsers write it in `location.hostname`: lower case, punycode, without a
 * leading `www.` (subdomains belong to a domain, so the shorter name covers both). Undefined when it is no host name.
 */
export function normaliseDomain(typed: string): string | undefined {
  const host = typed.trim().toLowerCase().replace(/\.$/, '')
  // The conversion below would quietly drop a path or a port, and read `1.2.3` as the address 1.2.0.3.
  if (/[/\\?#@:[\]]/.test(host)) return undefined
  const name = domainToASCII(host)
  if (name === '' || name.length > 253) return undefined
  if (isIPv4(name)) return name === host && isUnicast(name) ? name : undefined
  const labels = name.split('.')
  if (!labels.every((part) => label.test(part))) return undefined
  // A name of one label is a machine of a local network; only localhost can be a website.
  if (labels.length === 1) return name === 'localhost' ? name : undefined
  if (/^\d+$/.test(labels.at(-1) ?? '')) return undefined
  return labels.length > 2 && labels[0] === 'www' ? labels.slice(1).join('.') : name
}

/** Whether a website can be there: not at `0.…`, which a lone number stands for, nor at a multicast address. */
function isUnicast(address: string): boolean {
  const first = Number(address.split('.')[0])
  return first > 0 && first < 224
}
