import type { Outcome, Progress } from '../loader/modules.ts'

type Listener = (id: string, news: Outcome | Progress) => void

const listeners = new Set<Listener>()

/** Follows outcomes after `deliver` has answered, and uploads. Returns a function that unsubscribes. */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function tell(id: string, news: Outcome | Progress): void {
  for (const listener of listeners) listener(id, news)
}
