import { Check } from 'typebox/value'
import { type AnyEvent, events as catalogue } from '#contract/events.ts'
import type { StoredEvent } from './events.queries.ts'

/** A stored event as the code knows it. Undefined: it is older than the code, and its payload fits no more. */
export function readStoredEvent(event: StoredEvent): AnyEvent | undefined {
  const type = catalogue[event.name]
  if (!type || !Check(type.payload, event.payload)) return undefined
  // Its payload fits the schema of its name.
  return event as AnyEvent
}
