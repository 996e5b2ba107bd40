import type { AnalyticsName } from '#contract/analytics-events.ts'
import { redactAnalytics } from '#contract/redact-analytics.ts'
import type { Log } from '#server/platform/log/log.ts'

/** Something to count. */
export interface Captured {
  /** The same when it is sent again: it is counted once. */
  readonly id: string
  readonly name: AnalyticsName
  readonly properties: object
  readonly organizationId: string
  /** Who did it; null: a visitor, a job, an API key or Stripe. */
  readonly userId: string | null
  readonly at: Date
}

/** Sends events to PostHog. @throws Error when it is unreachable or asks to be asked later: the job is retried. */
export type Capture = (events: readonly Captured[]) => Promise<void>

const timeoutMs = 5_000
const eventsPerRequest = 500
/** After a failure, jobs fail at once for so long, so that a hanging PostHog holds a worker half of the time at most. */
const awayMs = 5_000

/**
 * Sends events by PostHog's capture API (https://posthog.com/docs/api/capture), without personal data.
 *
 * @param options.namesPeople false: a person's acts are counted for the organisation alone, because the operator asks for
 * consent, and the server can't know who gave it.
 */
export function createCapture({
  key,
  host,
  namesPeople,
  log,
}: {
  key: string
  host: string
  namesPeople: boolean
  log: Pick<Log, 'warn'>
}): Capture {
  const url = `${host.replace(/\/+$/, '')}/batch/`
  let awayUntilMs = Number.NEGATIVE_INFINITY

  async function send(batch: readonly unknown[]): Promise<void> {
    if (performance.now() < awayUntilMs) throw new Error('product analytics was unreachable a moment ago')
    let status: number
    try {
      // The operator names this host, which may be on the private network.
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: key, batch }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      status = reply.status
      await reply.body?.cancel()
    } catch (cause) {
      awayUntilMs = performance.now() + awayMs
      throw new Error('product analytics is unreachable', { cause })
    }
    if (status < 300) return
    if (status >= 500 || status === 408 || status === 429) {
      awayUntilMs = performance.now() + awayMs
      throw new Error(`product analytics answered ${status}`)
    }
    // It refuses the key or the events, and would again.
    log.warn({ status, events: batch.length }, 'product analytics refused events')
  }

  const describe = ({ id, name, properties, organizationId, userId, at }: Captured) => {
    const person = namesPeople ? userId : null
    return {
      uuid: id,
      event: name,
      timestamp: at.toISOString(),
      properties: {
        ...redactAnalytics(properties),
        distinct_id: person ?? organizationId,
        $groups: { organization: organizationId },
        $lib: 'earshot-server',
        // The address is this server's, not the person's.
        $geoip_disable: true,
        ...(person === null && { $process_person_profile: false }),
      },
    }
  }

  return async (events) => {
    for (let start = 0; start < events.length; start += eventsPerRequest) {
      await send(events.slice(start, start + eventsPerRequest).map(describe))
    }
  }
}
