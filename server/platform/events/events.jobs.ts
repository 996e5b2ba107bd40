import Type, { type Static } from 'typebox'
import type { AnyEvent } from '#contract/events.ts'
import { Uuid } from '#contract/text.ts'
import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '../jobs/job.ts'
import type { Log } from '../log/log.ts'
import { readStoredEvent } from './check-event.ts'
import { createDispatcher, jobNameOf } from './dispatcher.ts'
import { deleteOldEvents, enqueueJobs, listEvents, type StoredEvent } from './events.queries.ts'
import type { QueuedSubscriber, Subscriber } from './subscriber.ts'

const keptDays = 30
const reason = 'events of every organisation have subscribers'
const Given = Type.Object({ events: Type.Array(Type.Object({ organizationId: Uuid, id: Uuid })) })

/** Jobs that dispatch events, run their subscribers, and delete them after 30 days. */
export function createEventJobs(parts: {
  database: Database
  log: Pick<Log, 'warn'>
  subscribers: readonly Subscriber[]
}): Job[] {
  const queued = parts.subscribers.filter((each) => !each.immediate)
  const dispatch = createDispatcher(parts.database, queued)
  return [
    defineJob('dispatch_events', Type.Object({}), dispatch),
    // Events recorded without a job by a process that died before it asked for one.
    defineCron('dispatch_left_events', { at: '* * * * *', catchUpHours: 0 }, dispatch),
    ...queued.map((subscriber) => createSubscriberJob(subscriber, parts)),
    defineCron('prune_events', { at: '53 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        parts.database.asSystem('events of every organisation grow old', (tx) =>
          deleteOldEvents(tx, { days: keptDays, limit }),
        ),
      )
    }),
  ]
}

function createSubscriberJob(
  subscriber: QueuedSubscriber,
  { database, log }: { database: Database; log: Pick<Log, 'warn'> },
): Job {
  const name = jobNameOf(subscriber)
  const { pool } = subscriber
  const run = async ({ events: keys }: Static<typeof Given>) => {
    const stored = await database.asSystem(reason, (tx) => listEvents(tx, keys))
    try {
      const events = stored.map(requireKnown)
      if (events.length > 0) await subscriber.run(events)
    } catch (error) {
      if (keys.length === 1) throw error
      // Each is tried by itself from here on, so that one failing event holds up no other.
      log.warn({ err: error, subscriber: subscriber.name }, 'events are delivered one by one')
      const singles = keys.map((key) => ({ name, payload: { events: [key] } }))
      await database.asSystem(reason, (tx) => enqueueJobs(tx, singles))
    }
  }
  return defineJob(name, Given, run, { ...(pool && { pool }) })
}

function requireKnown(stored: StoredEvent): AnyEvent {
  const event = readStoredEvent(stored)
  if (!event) throw new Error(`event ${stored.id} is no ${stored.name} of this version`)
  return event
}
