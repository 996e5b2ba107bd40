import { type AnalyticsName, analyticsEvents } from '#contract/analytics-events.ts'
import { type EventName, events } from '#contract/events.ts'

/** The guide for operators that says what product analytics and error reports send, with every event and its place. */
export function printAnalyticsGuide(): string {
  // The keys of an object are its names.
  const names = Object.keys(analyticsEvents) as AnalyticsName[]
  const rows = names.map((name) => {
    const { when, properties } = analyticsEvents[name]
    const fields = Object.keys(properties.properties).map((field) => `\`${field}\``)
    return `| \`${name}\` | ${when} | ${describePlace(name)} | ${fields.join(', ')} |`
  })
  return `---
title: Product analytics and error reports
description: Which events, errors and purchases an instance reports to PostHog, Sentry and Google Analytics, each with its key alone.
section: Run Earshot
order: 11
---

# Product analytics and error reports

Generated from the code by \`npm run documents\`.

Earshot sends nothing about its use unless you set a key. Each service has a key of its own:

| setting | service | loaded in browsers |
|---|---|---|
| \`POSTHOG_KEY\`, \`POSTHOG_HOST\` | PostHog: product analytics | from your own server |
| \`SENTRY_DSN\` | Sentry: errors, timings and replays without text | from your own server |
| \`GA_MEASUREMENT_ID\` | Google Analytics: web analytics, purchases and refunds | from Google |

This concerns the people who use the app, not the visitors of your customers' websites: the widget loads none of these.

## Consent

Set \`ANALYTICS_CONSENT=required\` if people must agree first. A banner then asks them, and nothing is loaded before they accept.
They change their choice in *Settings → Account*. A link with the id \`analytics-choices\` opens the banner again.

The server can't know who agreed. With \`required\`, it counts acts for the organisation, not for the person.

## Never sent

* Properties named email, name, phone, address, user id, first, last or full name, postal code or zip code.
* Texts with an email address. They become \`[redacted email]\`.
* Queries and fragments of page addresses, and the tokens of invitations and conversations.
* Texts that people click, and what they type.
* In error reports also tokens, keys, ids of the payment provider, card numbers, phone numbers, SSN-like numbers and IP
  addresses.

## Settings of the services

* PostHog: person profiles for identified users only, autocapture, page leave, no automatic page views, local storage and cookie.
* Sentry: traces of 10 % of page loads in production (all elsewhere), replays of 10 % of sessions and of all errors. The user
  agent is cut to 1,000 characters.
* Google Analytics: no automatic page views, no advertising features. Events are \`purchase\` and \`refund\`, and those of screens.

## Events

Screens count their events themselves. The server counts what it sees, however it was caused: by a screen, an API key, an agent or
Stripe. Use of the widget is sent once a day, as one sum for each project.

| event | when | place | properties |
|---|---|---|---|
${rows.join('\n')}

Prices are in units of the currency, which is always usd. Each event belongs to the group \`organization\`.
`
}

function describePlace(name: AnalyticsName): string {
  const { from } = analyticsEvents[name]
  if (from === 'browser') return 'screen'
  if (from === 'sum') return 'server, once a day'
  // The keys of an object are its names.
  const causes = (Object.keys(events) as EventName[]).filter((event) => {
    const type = events[event]
    return 'analytics' in type && type.analytics.some((each) => each === name)
  })
  return `server, at ${causes.map((cause) => `\`${cause}\``).join(', ')}`
}
