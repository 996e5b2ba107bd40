import { Check } from 'typebox/value'
import { expect } from 'vitest'
import { type AnalyticsName, analyticsEvents } from '#contract/analytics-events.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** An event as PostHog is sent it. */
export interface SentEvent {
  readonly uuid: string
  readonly event: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** A stand-in for PostHog. */
export interface AnalyticsReceiver extends Pick<Receiver, 'answer' | 'received' | 'stop'> {
  /** The settings of a server that reports to it. */
  readonly env: Readonly<Record<string, string>>
  /** Each event once, as PostHog keeps it, in the order of their first arrival. */
  events(): SentEvent[]
}

export async function startAnalyticsReceiver(): Promise<AnalyticsReceiver> {
  const receiver = await startReceiver()
  return {
    ...receiver,
    env: { POSTHOG_KEY: 'phc_server', POSTHOG_HOST: receiver.url },
    events: () => {
      const byId = new Map<string, SentEvent>()
      for (const { path, body } of receiver.received) {
        expect(path).toBe('/batch/')
        // What the server sends has this form, see below.
        const { api_key: key, batch } = JSON.parse(body) as { api_key: string; batch: SentEvent[] }
        expect(key).toBe('phc_server')
        for (const each of batch) byId.set(each.uuid, each)
      }
      return [...byId.values()]
    },
  }
}

/** The event is one of the table, with the properties that the table gives it and those of every event. */
export function expectListed({ event, properties }: SentEvent): void {
  expect(Object.keys(analyticsEvents)).toContain(event)
  const { distinct_id: id, $groups, $lib, $geoip_disable: _, $process_person_profile: __, ...own } = properties
  // Checked above.
  const schema = analyticsEvents[event as AnalyticsName].properties
  expect(Check({ ...schema, additionalProperties: false }, own), `${event} ${JSON.stringify(own)}`).toBe(true)
  expect({ id, $groups, $lib }).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    $groups: { organization: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    $lib: 'earshot-server',
  })
}
