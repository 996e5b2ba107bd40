import { redactText } from '#contract/redact-analytics.ts'
import { deleteStored } from './delete-stored.ts'
import type { Properties, Service } from './service.ts'

declare global {
  /** Google's queue of calls. */
  var dataLayer: unknown[] | undefined
}

const currency = 'USD'
let isOpen = false

/**
 * Web analytics. Its script comes from Google, since Google offers no other way. Page views are not counted automatically,
 * and each event names the page by its address without secrets.
 */
export function openGoogleAnalytics(measurementId: string): Service {
  globalThis.dataLayer ??= []
  const off = `ga-disable-${measurementId}`
  Object.assign(globalThis, { [off]: false })
  if (!isOpen) load(measurementId)
  isOpen = true
  const send = (name: string, properties: Properties) => gtag('event', name, { ...properties, ...describePage() })
  return {
    capture: send,
    group: ({ subscriptionPlan, subscriptionStatus }) =>
      gtag('set', 'user_properties', { subscription_plan: subscriptionPlan, subscription_status: subscriptionStatus }),
    purchase: ({ transactionId, plan, price, interval, coupon }) =>
      send('purchase', {
        transaction_id: transactionId,
        value: price,
        currency,
        coupon: coupon ?? undefined,
        items: [toItem(plan, price, interval)],
      }),
    refund: ({ transactionId, plan, amount }) =>
      send('refund', {
        transaction_id: transactionId,
        value: amount,
        currency,
        items: plan === null ? [] : [toItem(plan, amount)],
      }),
    end: () => {
      Object.assign(globalThis, { [off]: true })
      deleteStored((name) => /^_ga(_|$)/.test(name))
    },
  }
}

function load(measurementId: string): void {
  gtag('js', new Date())
  gtag('consent', 'default', {
    analytics_storage: 'granted',
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  })
  gtag('config', measurementId, {
    send_page_view: false,
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
    ...describePage(),
  })
  const script = document.createElement('script')
  script.async = true
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(measurementId)}`
  document.head.append(script)
}

/** Google's script reads the arguments themselves, not a list of them. */
function gtag(..._: unknown[]): void {
  // biome-ignore lint/complexity/noArguments: see above
  globalThis.dataLayer?.push(arguments)
}

function toItem(plan: string, price: number, interval?: string) {
  return { item_name: `${plan} Plan`, item_category: 'Subscription', item_variant: interval, price, quantity: 1 }
}

/** Titles name projects and people. */
function describePage() {
  return { page_location: redactText(window.location.href), page_referrer: '', page_title: 'Earshot' }
}
