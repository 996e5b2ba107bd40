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
const betweenWords = /[\s/?&=:"'<>]+/

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

/** A text without email addresses and without the secrets of page URLs. */
export function redactText(text: string): string {
  const shown = redactPageAddress(text)
  return hasEmail(shown) ? emailMarker : shown
}

// Word by word: one pattern for the whole text would take seconds for a long text.
function hasEmail(text: string): boolean {
  return text.split(betweenWords).some((word) => {
    const parts = word.split(/@|%40/i)
    return parts.some((part, index) => index > 0 && parts[index - 1] !== '' && /[^.]\../.test(part))
  })
}

/** Queries and fragments contain codes and tokens; tokens of invitations and conversations stand in the path. */
export function redactPageAddress(text: string): string {
  const isAddress = /^(https?:\/\/|\/)/i.test(text)
  const page = isAddress ? text.replace(/[?#].*$/s, '') : text
  return page.replaceAll(/\/(accept-invitation|conversation|unsubscribe)\/[^\s/?#]+/g, '/$1/redacted')
}
