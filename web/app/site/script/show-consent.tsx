import { createRoot } from 'react-dom/client'
import type { PublicConfig } from '#contract/config.ts'
import { ConfigProvider } from '../../../lib/config.tsx'
import ConsentBanner from '../../consent-banner.tsx'

/** Shows the banner that asks for consent, or asks again. */
export function showConsent(config: PublicConfig): void {
  const place = document.createElement('div')
  // Its buttons are the first stops of the keyboard.
  document.body.prepend(place)
  createRoot(place).render(
    <ConfigProvider value={config}>
      <ConsentBanner />
    </ConfigProvider>,
  )
}
