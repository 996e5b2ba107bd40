import type { PublicConfig } from '#contract/config.ts'
import { mayChooseAnalytics, startAnalytics } from '../../../lib/analytics.ts'
import { readStored, storageKeys } from '../../../lib/storage.ts'

/** The link at the end of each page; the banner opens for this fragment. */
const choices = '#analytics-choices'

/** Starts the configured services, or asks first where people decide. React comes along only to ask. */
export function measure(config: PublicConfig): void {
  startAnalytics(config)
  if (!mayChooseAnalytics(config)) return
  const ask = () => void import('./show-consent.tsx').then(({ showConsent }) => showConsent(config))
  if (readStored(storageKeys.analyticsConsent) === null || window.location.hash === choices) {
    ask()
    return
  }
  const askAgain = () => {
    window.history.replaceState(null, '', choices)
    ask()
  }
  // Once: from then on, the banner listens itself.
  document.querySelector(choices)?.addEventListener('click', askAgain, { once: true })
}
