const longestEmail = 254

/**
 * Normalises a typed email address for sending: Unicode compatibility form, without control
 * characters, quotes, slashes and angle brackets, white space collapsed, lower case.
 */
export function normalizeEmail(input: string): string {
  const plain = [...input.normalize('NFKC')].filter((c) => !isControl(c) && !`"'\`/\\<>`.includes(c)).join('')
  return plain.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code < 32 || (code >= 127 && code < 160)
}

/** The error message for a normalised address; undefined when it is valid. */
export function findEmailProblem(email: string): string | undefined {
  if (email === '') return 'Email address is required'
  return isEmailAddress(email) ? undefined : 'Please enter a valid email address'
}

/** The address for a sign-in link: trimmed and in lower case; undefined unless it looks like one. */
export function readLinkAddress(input: string): string | undefined {
  const email = input.trim().toLowerCase()
  return isEmailAddress(email) ? email : undefined
}

function isEmailAddress(email: string): boolean {
  if (email.length > longestEmail || email.includes(' ') || email.includes('..')) return false
  // Mail programs decode such text (RFC 2047): the address would be another one.
  if (email.includes('=?')) return false
  const [local = '', domain = '', ...more] = email.split('@')
  if (more.length > 0 || local === '' || domain === '') return false
  const startsOrEndsWithDot = (part: string) => part.startsWith('.') || part.endsWith('.')
  return domain.includes('.') && !startsOrEndsWithDot(local) && !startsOrEndsWithDot(domain)
}
