/*
 * Field names that mark a secret. A name is split into words (camelCase, snake_case, kebab-case, any case), and one
 * such word is enough. Decided, and covered by tests:
 *
 * - `key` counts as a word of its own or as the end of a known compound: key, apiKey, API_KEY, apikey; not monkey,
 * keyboard. - `auth` counts with its long forms (authorization, oauth2): not author, authority. - password, secret,
 * token and credential also count at the end of a word run together (accesstoken), so that
 * secretary and tokenizer stay readable; password counts anywhere. - Names of sessions and card proofs count as well:
 * cookie, jwt, otp, csrf, cvv, ssn. - Names that merely mention such a word (primaryKey, tokenCount) are redacted too:
 * a lost harmless number costs less than a logged secret.
 */

const exactWords = new Set(
  (
    'key keys auth oauth oauth2 authn authz authorization authentication pass pwd cookie cookies jwt jwts otp totp ' +
    'csrf xsrf cvv cvc ssn bearer passphrase passcode'
  ).split(' '),
)
const strongEnding = /(?:secret|token|credential|passwd|passphrase|passcode|cookie|jwt)s?$/
const compoundKey =
  /^(?:api|app|secret|private|public|publishable|access|auth|encryption|crypto|signing|signature|master|service|session|ssh|anon|widget|client|server|license|webhook|account|storage|shared|host|pgp|gpg|rsa)keys?$/
const compoundAuth = /^(?:basic|http|proxy|user|bearer|www)(?:auth|authorization|authenticate)$/
const acronymEnd = /([A-Z]+)([A-Z][a-z])/g
const camelHump = /([a-z0-9])([A-Z])/g
const longestName = 256

const known = new Map<string, boolean>()
const knownLimit = 5_000

/** Whether the value of a field with this name must not be shown. */
export function isSecretName(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  // A name this long is data; the marking word is at its start or end.
  const looked = name.length > longestName ? name.slice(0, 128) + name.slice(-128) : name
  const isSecret = splitWords(looked).some(isSecretWord)
  if (known.size >= knownLimit) known.clear()
  if (name.length <= longestName) known.set(name, isSecret)
  return isSecret
}

function splitWords(name: string): string[] {
  return name
    .normalize('NFKC')
    .replace(acronymEnd, '$1 $2')
    .replace(camelHump, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
}

function isSecretWord(word: string): boolean {
  if (exactWords.has(word)) return true
  const stem = word.replace(/\d{1,9}$/, '')
  return (
    exactWords.has(stem) ||
    stem.includes('password') ||
    strongEnding.test(stem) ||
    compoundKey.test(stem) ||
    compoundAuth.test(stem)
  )
}
