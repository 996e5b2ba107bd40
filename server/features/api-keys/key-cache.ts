import type { Database } from '#server/platform/database/database.ts'
import type { StopListening } from '#server/platform/database/listen.ts'
import type { CallingKey } from '#server/platform/http/key-guard.ts'
import { findKeyByHash } from './api-keys.queries.ts'
import { hashKey } from './api-keys.service.ts'
import { isKeyText } from './key-format.ts'

/** Keys in memory: a call asks the database for its key only the first time. */
export interface KeyCache {
  /** Starts hearing of changes. Until then, an entry is as old as its age allows. */
  listen(): Promise<void>
  /** Undefined for text that is no key, and for an unknown one. */
  find(key: string): Promise<CallingKey | undefined>
  close(): Promise<void>
}

const maxEntries = 10_000
// NOTIFY announces changes at once; this bounds the staleness after a lost notice. The database checks the key again in
// each transaction, so a stale entry reaches nothing. A key is created before it is used: unknown ones stay unknown.
const freshMs = 60_000

export function createKeyCache(database: Database): KeyCache {
  const entries = new Map<string, { key: Promise<CallingKey | undefined>; freshUntilMs: number }>()
  let stop: StopListening | undefined

  return {
    listen: async () => {
      stop = await database.listen(
        'api_key_changed',
        (hash) => entries.delete(hash),
        () => entries.clear(),
      )
    },
    find: async (text) => {
      if (!isKeyText(text)) return undefined
      const hash = hashKey(text)
      const name = hash.toString('hex')
      const nowMs = performance.now()
      const entry = entries.get(name)
      if (entry && entry.freshUntilMs > nowMs) return entry.key
      if (entries.size >= maxEntries) entries.clear()
      // The promise is kept, not its value: a hundred calls with a cold key make one query.
      const key = findKeyByHash(database, hash)
      entries.set(name, { key, freshUntilMs: nowMs + freshMs })
      try {
        return await key
      } catch (error) {
        entries.delete(name)
        throw error
      }
    },
    close: async () => stop?.(),
  }
}
