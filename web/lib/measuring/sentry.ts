import {
  type BrowserOptions,
  browserTracingIntegration,
  captureException,
  getReplay,
  init,
  makeFetchTransport,
  replayIntegration,
} from '@sentry/browser'
import type { PublicConfig } from '#contract/config.ts'
import { scrubEnvelope } from './scrub-envelope.ts'
import type { Service } from './service.ts'

/** False after a withdrawal: its listeners stay, and nothing of theirs is sent. */
let isOn = false
let isOpen = false

/** Error reports, with the page's timings and a replay that shows no text. */
export function openSentry(dsn: string, config: PublicConfig): Service {
  isOn = true
  if (!isOpen) init(composeOptions(dsn, config))
  isOpen = true
  return {
    reportError: (error, context) => void captureException(error, { tags: { context } }),
    end: () => {
      isOn = false
      void getReplay()?.stop()
    },
  }
}

function composeOptions(dsn: string, { appVersion, traceSampleRate }: PublicConfig): BrowserOptions {
  return {
    dsn,
    ...(appVersion !== null && { release: appVersion }),
    environment: traceSampleRate === 1 ? 'development' : 'production',
    tracesSampleRate: traceSampleRate,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    integrations: [
      browserTracingIntegration(),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        // Their addresses name people.
        block: ['a[href^="mailto:"]', 'a[href*="/visitors/"]'],
        // Its worker would be a blob, which the content security policy forbids.
        useCompression: false,
      }),
    ],
    // Our server reads no traces.
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: { request: { allow: ['user-agent'] }, response: false },
      httpBodies: [],
      urlQueryParams: false,
    },
    transport: (options) => {
      const transport = makeFetchTransport(options)
      return { ...transport, send: async (envelope) => (isOn ? transport.send(scrubEnvelope(envelope)) : {}) }
    },
  }
}
