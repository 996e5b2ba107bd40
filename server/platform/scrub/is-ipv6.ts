const group = /^[0-9a-f]{1,4}$/i
const octets = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}(?<!\.)$/

/** Whether the text is an IPv6 address without a zone, as `node:net` tells. Browsers, which scrub too, have no such function. */
export function isIPv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const [head = '', tail] = halves
  const groups = [...splitGroups(head), ...splitGroups(tail ?? '')]
  const last = groups.at(-1) ?? ''
  // Four octets may stand for the last two groups.
  const endsInOctets = last.includes('.')
  if (endsInOctets && (!octets.test(last) || text.endsWith('::'))) return false
  const hasOnlyGroups = groups.slice(0, endsInOctets ? -1 : undefined).every((each) => group.test(each))
  const count = groups.length + (endsInOctets ? 1 : 0)
  return hasOnlyGroups && (tail === undefined ? count === 8 : count < 8)
}

const splitGroups = (part: string) => (part === '' ? [] : part.split(':'))
