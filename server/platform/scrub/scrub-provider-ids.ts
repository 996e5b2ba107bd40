/*
 * Ids of the payment provider: a short prefix, `_`, letters and digits. Some prefixes are English words, and
 * `in_progress` or `price_changed` must stay readable: after those the rest has to look generated.
 */
const providerId =
  /(?<![A-Za-z0-9_])(cus|pi|pm|evt|seti|acct|txn|cs|sub|in|ch|price|prod|si|ii|il|re|py|po|tok|card|src|ba|dp|tr|promo|plink|bps|sub_sched|cn|req|fee|prv|we|file|coupon|cou)_((?:test_|live_)?[A-Za-z0-9]{3,})(?![A-Za-z0-9])/g
const surePrefixes = new Set(['cus', 'pi', 'pm', 'evt', 'seti', 'acct', 'txn', 'cs'])
const mixedCase = /[a-z]\w*[A-Z]|[A-Z]\w*[a-z]\w*[A-Z]/

/** Redacts ids such as `cus_…`, `sub_…`, `pi_…`, `ch_…`, `in_…`, `pm_…`, `evt_…` and `price_…`. */
export function scrubProviderIds(text: string): string {
  if (!text.includes('_')) return text
  return text.replace(providerId, (match: string, prefix: string, rest: string) =>
    isMade(prefix, rest) ? '[id]' : match,
  )
}

function isMade(prefix: string, rest: string): boolean {
  if (/^(?:test|live)_/.test(rest)) return true
  if (rest.length >= 8 && mixedCase.test(rest)) return true
  if (surePrefixes.has(prefix)) return /\d/.test(rest) || (prefix === 'cus' && rest.length >= 6) || rest.length >= 20
  return (rest.length >= 6 && /\d/.test(rest)) || rest.length >= 20
}
