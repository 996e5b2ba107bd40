import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { Seals } from '#server/platform/secret/seals.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { findDefinition } from '../registry.ts'
import { openSecrets } from '../secrets.ts'
import {
  notePolled,
  requestSyncsOfIssues,
  restFromPolling,
  type TrackerConnection,
  takeTrackersToPoll,
} from './links.queries.ts'

export interface PollParts {
  readonly database: Database
  readonly log: Pick<Log, 'info'>
  readonly outbound: Outbound
  readonly seals: Seals
}

const reason = 'trackers of every organisation are asked for changed issues'
const everySeconds = 50
const trackersPerRun = 100
/** Clocks differ, and a page of changes can be read while it grows. */
const overlapMs = 120_000
/** A tracker may ask to be left alone for so long. */
const longestRestSeconds = 3_600

/**
 * Asks trackers each minute which issues have changed: for instances that can't be called from outside, and for calls that
 * were lost.
 */
export function createPollJob(parts: PollParts): Job {
  return defineCron('poll_trackers', { at: '* * * * *', catchUpHours: 0 }, async () => {
    const due = await parts.database.asSystem(reason, (tx) =>
      takeTrackersToPoll(tx, { seconds: everySeconds, limit: trackersPerRun }),
    )
    await Promise.all(due.map((connection) => poll(parts, connection)))
  })
}

async function poll({ database, log, outbound, seals }: PollParts, connection: TrackerConnection): Promise<void> {
  const { organizationId, id, type, secrets: sealed, polledUntil } = connection
  const tracker = findDefinition(type)?.tracker
  if (!tracker) return
  const startedAt = new Date()
  try {
    const { fields } = openSecrets(seals, { organizationId, integrationId: id }, sealed)
    const api = { settings: { ...connection.settings, ...fields }, send: createServiceClient(outbound, []).send }
    const since = new Date((polledUntil ?? startedAt).getTime() - overlapMs)
    const issueKeys = await tracker.listChanged(api, since)
    await database.asSystem(reason, async (tx) => {
      await requestSyncsOfIssues(tx, { organizationId, integrationId: id, issueKeys })
      await notePolled(tx, connection, startedAt)
    })
  } catch (error) {
    // The next run asks from the same time on. Deliveries tell owners of a tracker that does not answer.
    const restSeconds = error instanceof DeliveryFailure ? error.retryAfterSeconds : undefined
    if (restSeconds !== undefined) {
      const seconds = Math.min(restSeconds, longestRestSeconds)
      await database.asSystem(reason, (tx) => restFromPolling(tx, connection, seconds))
    }
    log.info({ err: error, integrationId: id }, 'a tracker was not asked for changes')
  }
}
