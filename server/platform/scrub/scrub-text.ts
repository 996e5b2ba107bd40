import { scrubAddresses } from './scrub-addresses.ts'
import { scrubEmails } from './scrub-emails.ts'
import { scrubEncoded } from './scrub-encoded.ts'
import { scrubNamedValues } from './scrub-named-values.ts'
import { scrubCards, scrubPhones, scrubSocialSecurityNumbers } from './scrub-numbers.ts'
import { scrubProviderIds } from './scrub-provider-ids.ts'
import { scrubSecrets } from './scrub-secrets.ts'

// Removing one thing can bring two halves of another together; a second round sees that. More is not known to happen.
const mostRounds = 4
const threeDigits = /\d\d\d/

/**
 * Replaces what must not be logged by markers such as `[email]`: e-mail addresses, tokens, API keys and secrets, ids of
 * the payment provider, card numbers, US-style phone numbers, SSN-like numbers, IP addresses, and the values of secretly
 * named fields. Time is linear in the text’s length; the result scrubbed again stays as it is.
 */
export function scrubText(text: string): string {
  let current = text
  for (let round = 0; round < mostRounds; round++) {
    const next = scrubOnce(scrubEncoded(current, scrubOnce))
    if (next === current) return current
    current = next
  }
  return current
}

// Order matters: longest and surest first, so that no later pattern eats a part of an earlier one.
function scrubOnce(text: string): string {
  let out = scrubSecrets(text)
  out = scrubNamedValues(out)
  out = scrubProviderIds(out)
  out = scrubEmails(out)
  if (threeDigits.test(out)) {
    out = scrubCards(out)
    out = scrubSocialSecurityNumbers(out)
    out = scrubPhones(out)
  }
  return scrubAddresses(out)
}
