import type { EventName } from '#contract/events.ts'
import type { Database, SystemTx, TenantTx } from '../database/database.ts'
import { listEvents, notifyLive, type WaitingEvent } from './events.queries.ts'
import type { Announcement, LiveMessage, Subscriber } from './subscriber.ts'

/*
 * Announced events, and live messages, which are not recorded. Both reach every process by NOTIFY on one channel, `events`.
 */

/** So many ids fit into a NOTIFY of 8,000 bytes, beside the rest. */
const idsPerMessage = 150

interface Heard {
  readonly organizationId: string
  readonly events?: readonly (Omit<Announcement, 'ids'> & { ids?: readonly string[] })[]
  readonly message?: LiveMessage
}

/** Sends a message that is not recorded to every process: when the transaction commits; given the database, at once. */
export async function sendLiveMessage(
  on: TenantTx | SystemTx | Database,
  organizationId: string,
  { kind, ids }: LiveMessage,
): Promise<void> {
  await notifyLive(on, organizationId, kind, ids)
}

/** Messages that announce events: one per organisation and name, with the id of its first event. */
export function toAnnouncements(events: readonly WaitingEvent[]): string[] {
  const groups = Map.groupBy(events, ({ organizationId, name }) => `${organizationId} ${name}`)
  return [...groups.values()].flatMap((group) => {
    const [{ organizationId, id, name } = { organizationId: '', id: '', name: '' }] = group
    const ids = group.flatMap(({ unannouncedIds }) => unannouncedIds ?? [])
    return Array.from({ length: Math.ceil(ids.length / idsPerMessage) }, (_, part) => {
      const own = ids.slice(part * idsPerMessage, (part + 1) * idsPerMessage)
      return JSON.stringify({ organizationId, events: [{ id, name, ids: own }] })
    })
  })
}

/** Hands events and live messages on to the immediate subscribers of this process. */
export async function openLiveChannel(database: Database, all: readonly Subscriber[]): Promise<() => Promise<void>> {
  const subscribers = all.filter((each) => each.immediate)
  const onGap = () => {
    for (const each of subscribers) each.onGap?.()
  }

  async function complete(organizationId: string, events: NonNullable<Heard['events']>): Promise<Announcement[]> {
    const missing = events.filter((event) => event.ids === undefined)
    // Too many ids for a NOTIFY: they are read from the table.
    const stored =
      missing.length === 0
        ? []
        : await database.asSystem('an event whose ids did not fit into its announcement', (tx) =>
            listEvents(
              tx,
              missing.map(({ id }) => ({ organizationId, id })),
            ),
          )
    const idsById = new Map(stored.map(({ id, ids }) => [id, ids]))
    return events.map(({ id, name, ids }) => ({ id, name, ids: ids ?? idsById.get(id) ?? [] }))
  }

  async function handOn({ organizationId, events: heard = [], message }: Heard): Promise<void> {
    if (message) for (const each of subscribers) await each.onMessage?.(organizationId, message)
    const names = new Set<EventName>(heard.map(({ name }) => name))
    const concerned = subscribers.filter(
      (each) => each.eventNames.some((name) => names.has(name)) && each.concerns(organizationId),
    )
    if (concerned.length === 0) return
    const events = await complete(organizationId, heard)
    for (const each of concerned) {
      await each.run(
        organizationId,
        events.filter(({ name }) => each.eventNames.includes(name)),
      )
    }
  }

  // One after the other, in the order in which they were committed.
  let last: Promise<void> = Promise.resolve()
  return database.listen(
    'events',
    (text) => {
      // Followers may have missed something, and must read again.
      last = last.then(() => handOn(JSON.parse(text) as Heard)).catch(onGap)
    },
    onGap,
  )
}
