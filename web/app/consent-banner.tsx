import { useEffect, useRef, useState } from 'react'
import { type AnalyticsConsent, followConsent, setConsent, useConsent } from '../lib/analytics-consent.ts'
import { useConfig } from '../lib/config.tsx'
import { locale } from '../lib/locale.ts'
import { Button } from '../ui/button.tsx'

/** Links with this fragment open the banner again, wherever they stand. */
const choicesId = 'analytics-choices'

/**
 * Asks whether analytics and error reports may be loaded. Accepting and declining take one press each. The page can be used
 * meanwhile. A link with the id `analytics-choices` opens it again.
 */
export default function ConsentBanner() {
  const config = useConfig()
  const consent = useConsent()
  const [opener, setOpener] = useState<HTMLElement>()
  const region = useRef<HTMLElement>(null)
  useEffect(() => followConsent(config), [config])
  useEffect(() => {
    const open = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest(`#${choicesId}, a[href$="#${choicesId}"]`)
      if (!(link instanceof HTMLElement)) return
      event.preventDefault()
      setOpener(link)
    }
    document.addEventListener('click', open)
    // Pressed before this code was loaded, or in another page.
    if (window.location.hash === `#${choicesId}`) {
      // Reloading the page would ask again.
      window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
      // The browser itself moves the focus to the link, at the next drawing.
      requestAnimationFrame(() => setTimeout(() => setOpener(document.getElementById(choicesId) ?? document.body)))
    }
    return () => document.removeEventListener('click', open)
  }, [])
  useEffect(() => {
    if (opener) region.current?.focus()
  }, [opener])
  if (consent !== undefined && !opener) return null

  const choose = (choice: AnalyticsConsent) => {
    setConsent(choice, config)
    opener?.focus()
    setOpener(undefined)
  }
  const services = [
    config.posthogKey && 'PostHog',
    config.gaMeasurementId && 'Google Analytics',
    config.sentryDsn && 'Sentry',
  ].filter((name) => typeof name === 'string')
  return (
    // On phones above the button of the widget, which nothing can cover.
    <section
      ref={region}
      tabIndex={-1}
      aria-labelledby="consent-title"
      className="fixed inset-x-3 bottom-20 z-[90] flex flex-col gap-3 rounded-lg border border-border bg-raised p-4 text-foreground shadow-lg sm:right-auto sm:bottom-3 sm:max-w-md"
    >
      <h2 id="consent-title" className="font-semibold text-base">
        Analytics and error reports
      </h2>
      <p className="text-base text-muted">
        May this page load {new Intl.ListFormat(locale).format(services)}? They show us which screens are used and which
        errors occur. Names, email addresses and feedback are not sent. You can change your choice at any time.
      </p>
      <div className="grid grid-cols-2 gap-2">
        <Button variant="secondary" onClick={() => choose('declined')}>
          Decline
        </Button>
        <Button variant="secondary" onClick={() => choose('accepted')}>
          Accept
        </Button>
      </div>
    </section>
  )
}
