import { setConsent, useConsent } from '#web/lib/analytics-consent.ts'
import { useConfig } from '#web/lib/config.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

/** Allows or forbids analytics in this browser. It applies at once. */
export function AnalyticsChoice() {
  const config = useConfig()
  const consent = useConsent()
  return (
    <div className="p-5">
      <SwitchRow
        label="Analytics and error reports"
        hint="On this device. Names, email addresses and feedback are not sent."
        checked={consent === 'accepted'}
        onChange={(isAllowed) => setConsent(isAllowed ? 'accepted' : 'declined', config)}
      />
    </div>
  )
}
