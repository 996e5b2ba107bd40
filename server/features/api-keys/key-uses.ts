import type { Database } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type KeyUse, noteKeyUses } from './api-keys.queries.ts'

const flushMs = 1_000

/** When keys were last used: noted in memory and written once a second, so that no call waits for it. */
export interface KeyUses {
  start(): void
  note(use: KeyUse): void
  /** Writes what was noted. */
  close(): Promise<void>
}

export function createKeyUses(database: Database, log: Log): KeyUses {
  let uses = new Map<string, KeyUse>()
  let flushing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    if (uses.size === 0) return
    const batch = [...uses.values()]
    uses = new Map()
    try {
      await database.asSystem('uses of keys are noted for every organisation', async (tx) => {
        await skipFlush(tx)
        await noteKeyUses(tx, batch)
      })
    } catch (error) {
      log.warn({ err: error }, 'uses of API keys were not noted yet')
      for (const use of batch) if (!uses.has(use.keyId)) uses.set(use.keyId, use)
    }
  }

  return {
    start: () => {
      timer = setInterval(() => {
        flushing = flushing.then(flush)
      }, flushMs)
      timer.unref()
    },
    note: (use) => {
      uses.set(use.keyId, use)
    },
    close: async () => {
      clearInterval(timer)
      await flushing
      await flush()
    },
  }
}
