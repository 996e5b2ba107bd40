/** Names of identifying properties, in lower case and without separators. */
const personalNames = new Set([
  'email',
  'emailaddress',
  'name',
  'phone',
  'phonenumber',
  'address',
  'userid',
  'firstname',
  'lastname',
  'fullname',
  'postalcode',
  'postcode',
  'zip',
  'zipcode',
])

const emailMarker = '[redacted email]'
const emailPattern = /[^\s@/?&=:"'<>]+(?:@|%40)[^\s@/?&=:"'<>]+\.[^\s@/?&=:"'<>]+/i

/**
 * Redacts an event: identifying properties are removed at any depth, text with an email address becomes a marker, and
 * page URLs lose the parts that may be secret.
 */
export function redactAnalytics<Value>(value: Value): Value {
  // Redacted values keep their shape.
  return redact(value) as Value
}

function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redact)
  // Dates and the like have no properties of their own.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !personalNames.has(name.toLowerCase().replaceAll(/[^a-z]/g, '')))
      .map(([name, inner]) => [name, redact(inner)]),
  )
}

function redactText(text: string): string {
  const shown = redactPageAddress(text)
  return emailPattern.test(shown) ? emailMarker : shown
}

/** Queries and fragments carry codes and tokens; tokens of invitations and conversations stand in the path. */
function redactPageAddress(text: string): string {
  const isAddress = /^(https?:\/\/|\/)/i.test(text)
  const page = isAddress ? text.replace(/[?#].*$/s, '') : text
  return page.replaceAll(/\/(accept-invitation|conversation)\/[^\s/?#]+/g, '/$1/redacted')
}
