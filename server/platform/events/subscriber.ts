import type { AnyEvent, EventName } from '#contract/events.ts'
import type { WorkerPool } from '../jobs/job.ts'

/**
 * Runs as a job of its own after events, with retries of its own, and at least once: `run` must tolerate getting an event
 * again, which has the same id then. Several events may come together, in an order that `run` must not rely on.
 */
export interface QueuedSubscriber {
  /** Unique in the product, and lasting: jobs that wait are found by it. */
  readonly name: string
  readonly eventNames: readonly EventName[]
  readonly immediate: false
  /** Default: `short`. */
  readonly pool?: WorkerPool
  run(events: readonly AnyEvent[]): Promise<void>
}

/** An event as it is announced to every process: without its payload. */
export interface Announcement<N extends EventName = EventName> {
  readonly id: string
  readonly name: N
  readonly ids: readonly string[]
}

/**
 * Runs in every web process as soon as the transaction is committed, at most once: for live inboxes and copies in memory.
 * Events of one transaction and organisation come together.
 */
export interface ImmediateSubscriber {
  readonly name: string
  readonly eventNames: readonly EventName[]
  readonly immediate: true
  /** False: no one in this process follows this organisation, and nothing is read for it. */
  concerns(organizationId: string): boolean
  /** The next announcement waits until this is done. */
  run(organizationId: string, events: readonly Announcement[]): void | Promise<void>
  /** Gets the messages of `sendLiveMessage`. */
  readonly onMessage?: (organizationId: string, message: LiveMessage) => void | Promise<void>
  /** Events or messages may have been missed. */
  readonly onGap?: () => void
}

/** A message that is not recorded, because it is worthless later: presence, for example. */
export interface LiveMessage {
  readonly kind: string
  readonly ids: readonly string[]
}

export type Subscriber = QueuedSubscriber | ImmediateSubscriber

/** Declares a subscriber that runs as a job. */
export function defineSubscriber<const N extends EventName>(
  name: string,
  eventNames: readonly N[],
  run: (events: readonly AnyEvent<N>[]) => Promise<void>,
  { pool }: { pool?: WorkerPool } = {},
): QueuedSubscriber {
  return {
    name,
    eventNames,
    immediate: false,
    ...(pool && { pool }),
    // The dispatcher gives a subscriber the events of its names only.
    run: (events) => run(events as unknown as readonly AnyEvent<N>[]),
  }
}

/** Declares a subscriber that runs at once in every web process. */
export function defineImmediateSubscriber<const N extends EventName>(
  name: string,
  eventNames: readonly N[],
  run: (organizationId: string, events: readonly Announcement<N>[]) => void | Promise<void>,
  options: Partial<Pick<ImmediateSubscriber, 'concerns' | 'onMessage' | 'onGap'>> = {},
): ImmediateSubscriber {
  return {
    concerns: () => true,
    ...options,
    name,
    eventNames,
    immediate: true,
    // The recorder gives a subscriber the events of its names only.
    run: (organizationId, events) => run(organizationId, events as readonly Announcement<N>[]),
  }
}
