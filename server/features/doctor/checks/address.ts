import { askAddress } from '../ask-address.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'

const localHost = /^(localhost|127\.|\[::1\]|0\.0\.0\.0|.*\.(local|localhost|test|invalid|example)$)/
export const isLocal = (url: string) => localHost.test(new URL(url).hostname)

export const addressChecks: readonly Check[] = [
  {
    id: 'app-url-https',
    area: 'Address',
    title: 'HTTPS of APP_URL',
    remedy: 'Put a proxy with a certificate in front of Earshot and set APP_URL to its https:// address.',
    run: ({ config: { appUrl, production } }) => {
      if (appUrl.startsWith('https:')) return ok('APP_URL uses HTTPS.')
      if (!production || isLocal(appUrl)) return notApplicable('This is no public server.')
      return failed('APP_URL uses http://, so passwords travel unencrypted and the widget is blocked on HTTPS pages.')
    },
  },
  {
    id: 'app-url-public',
    area: 'Address',
    title: 'Host of APP_URL',
    remedy: 'Set APP_URL to the address that people and websites use, e.g. https://feedback.example.com.',
    run: ({ config: { appUrl, production } }) => {
      if (!production) return notApplicable('Development uses local addresses.')
      const { hostname } = new URL(appUrl)
      if (isLocal(appUrl)) return failed(`${hostname} leads nowhere on other machines: links in emails are broken.`)
      return ok(`APP_URL names ${hostname}.`)
    },
  },
  {
    id: 'app-url-host',
    area: 'Address',
    title: 'APP_URL and the address in use',
    remedy: 'Set APP_URL to the address in the browser, or redirect other addresses to APP_URL.',
    run: ({ config: { appUrl }, seen }) => {
      if (!seen) return notApplicable('Only the server sees which address browsers use.')
      const { host } = new URL(appUrl)
      if (seen.host.toLowerCase() === host) return ok(`You use Earshot at ${host}, as APP_URL says.`)
      return failed(`You use Earshot at ${seen.host}, and APP_URL says ${host}. Links in emails lead to the latter.`)
    },
  },
  {
    id: 'app-url-reachable',
    area: 'Address',
    title: 'Reachability of APP_URL',
    remedy: 'Check DNS, the proxy and the firewall. Earshot must also answer there to requests from its own machine.',
    run: async ({ config: { appUrl } }) => {
      const answer = await askAddress(`${appUrl}/health`)
      if (answer.status === null) return failed(`${appUrl} does not answer from this machine: ${answer.problem}.`)
      if (answer.status === 200 && answer.text.trim() === 'OK') return ok(`${appUrl} answers.`)
      return failed(`${appUrl}/health is answered with ${answer.status}, but not by Earshot.`)
    },
  },
  {
    id: 'site-url',
    area: 'Address',
    title: 'GOTRUE_SITE_URL',
    remedy: 'Remove GOTRUE_SITE_URL, or set it to an address of the same host as APP_URL.',
    run: ({ config: { appUrl, auth } }) => {
      if (new URL(auth.siteUrl).origin === new URL(appUrl).origin) return ok('Sign-in emails lead to APP_URL.')
      return warning(`Sign-in emails lead to ${new URL(auth.siteUrl).origin}, not to APP_URL.`)
    },
  },
  {
    id: 'metrics-exposed',
    area: 'Address',
    title: 'Public metrics',
    remedy: 'Let the proxy refuse /metrics from outside, or set METRICS=off.',
    run: async ({ config: { appUrl, metricsEnabled } }) => {
      if (!metricsEnabled) return ok('Prometheus metrics are off.')
      const answer = await askAddress(`${appUrl}/metrics`)
      if (answer.status === 200) return warning(`Anyone can read ${appUrl}/metrics.`)
      return ok('Metrics are not readable at APP_URL.')
    },
  },
]
