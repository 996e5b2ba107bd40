import { createHash } from 'node:crypto'

const keptMs = 5 * 60_000
const maxKept = 20_000

/** Counts how often the same words came lately. In memory of this process: it adds weight, it decides nothing alone. */
export interface RecentWords {
  /** Times these words came to the project in the last five minutes, before this one. Counts it; the same submission again does not count. */
  note(projectId: string, words: string, id: string): number
}

export function createRecentWords(now: () => number = () => performance.now()): RecentWords {
  // Two halves: the older is dropped whole, so that nothing has to be looked through.
  let present = new Map<string, { times: number; lastId: string }>()
  let previous: typeof present = new Map()
  let startedAtMs = now()
  return {
    note: (projectId, words, id) => {
      const nowMs = now()
      if (nowMs - startedAtMs > keptMs || present.size >= maxKept) {
        previous = nowMs - startedAtMs > 2 * keptMs ? new Map() : present
        present = new Map()
        startedAtMs = nowMs
      }
      // Short words are said often and by many.
      const simple = words.toLowerCase().replaceAll(/\s+/g, ' ').trim()
      if (simple.length < 20) return 0
      const key = createHash('sha1').update(projectId).update(simple).digest('base64')
      const known = present.get(key)
      const before = (known?.times ?? 0) + (previous.get(key)?.times ?? 0)
      const isRetry = known?.lastId === id
      present.set(key, { times: (known?.times ?? 0) + (isRetry ? 0 : 1), lastId: id })
      return isRetry ? before - 1 : before
    },
  }
}
