import type { Outcome, Progress } from '../loader/modules.ts'

type Listener = (id: string, news: Outcome | Progress) => void

const listeners = new Set<Listener>()

/** Hears of submissions that were sent or refused after `deliver` had answered, and of files. Returns how to stop. */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function tell(id: string, news: Outcome | Progress): void {
  for (const listener of listeners) listener(id, news)
}
