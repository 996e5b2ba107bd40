import { isIPv6 } from './is-ipv6.ts'

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
// Four numbers after `v` or “version” are a version; five or more are an object identifier.
const fourNumbers = new RegExp(
  `(?<![\\w.]|[vV]ersion[ :=]{1,3}|\\d-)${octet}(?:\\.${octet}){3}(?![A-Za-z0-9_]|\\.\\d|-\\d)`,
  'g',
)
// Checked first, because it is cheap: `::` that is not an operator between names, or more colons than a time of day
// has.
const sixthHint = /(?<![g-z_])::(?![g-z_])|:[0-9a-f]{1,4}:[0-9a-f]{1,4}:/i
const colonRun = /(?<![\w:.])[0-9a-f]{0,4}:[0-9a-f:.]*:[0-9a-f:.]*/gi

/** Redacts IPv4 and IPv6 addresses, with or without a port, zone or prefix length. */
export function scrubAddresses(text: string): string {
  const out = sixthHint.test(text) ? text.replace(colonRun, redactSixth) : text
  return out.includes('.') ? out.replace(fourNumbers, '[ip]') : out
}

function redactSixth(run: string, at: number, text: string): string {
  if (/\w/.test(text[at + run.length] ?? '')) return run
  const address = findAddress(run)
  return address === undefined ? run : `[ip]${run.slice(address.length)}`
}

// The match may include characters after the address: a full stop, a colon, a port.
function findAddress(run: string): string | undefined {
  const trimmed = run.replace(/\.+$/, '')
  const candidates = [trimmed, trimmed.replace(/:$/, ''), trimmed.replace(/:\d{1,5}:?$/, '')]
  return candidates.find((candidate) => candidate.length <= 45 && isIPv6(candidate) && identifiesSomebody(candidate))
}

// `::` is an operator, `a::b` a name in some languages: an address has a digit or a longer group.
function identifiesSomebody(address: string): boolean {
  return /\d|[a-f]{3}/i.test(address)
}
