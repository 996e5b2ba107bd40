// RFC 5321: 254 octets is the longest address, 64 the longest local part.
const maxAddressLength = 254
const maxLocalPartLength = 64

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/**
 * Whether the text is one plain address, `local@domain.tld`. Quoted local parts, comments, lists, display names and
 * bare addresses of hosts are refused: a mail library would parse some of them differently.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxAddressLength) return false
  const at = text.indexOf('@')
  if (at < 1 || at > maxLocalPartLength) return false
  // Mail programs decode such text (RFC 2047): the address would be another one.
  if (text.includes('=?')) return false
  const labels = text.slice(at + 1).split('.')
  return (
    localPart.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => domainLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
