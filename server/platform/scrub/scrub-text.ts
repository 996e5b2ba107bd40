import { scrubAddresses } from './scrub-addresses.ts'
import { scrubEmails } from './scrub-emails.ts'
import { scrubEncoded } from './scrub-encoded.ts'
import { scrubNamedValues } from './scrub-named-values.ts'
import { scrubCards, scrubPhones, scrubSocialSecurityNumbers } from './scrub-numbers.ts'
import { scrubProviderIds } from './scrub-provider-ids.ts'
import { scrubSecrets } from './scrub-secrets.ts'

// Removing one match can join two halves of another; a second round finds it. No case needs a third.
const mostRounds = 4
const threeDigits = /\d\d\d/

/**
 * Replaces sensitive data by markers such as `[email]`: email addresses, tokens, API keys and secrets, ids of
 * the payment provider, card numbers, US-style phone numbers, SSN-like numbers, IP addresses, and the values of secretly
 * named fields. Time is linear in the text’s length; scrubbing is idempotent.
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

// Order matters: longest and surest first, so that no later pattern matches a part of an earlier one.
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
