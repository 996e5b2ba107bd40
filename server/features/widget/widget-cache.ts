import type { Database } from '#server/platform/database/database.ts'
import { findDraft, findWidget, type Widget } from './widget.queries.ts'

/** Widgets by key, in memory: a page load or a submission asks the database only the first time. */
export interface WidgetCache {
  find(key: string): Promise<Widget | undefined>
  /** The widget under the draft of that token; asks the database each time, as nobody but its owner looks. */
  findDraft(key: string, token: string): Promise<Widget | undefined>
  close(): Promise<void>
}

const maxEntries = 10_000
// Changes are told at once by NOTIFY; this bounds how wrong we can be if a notice is lost. Unknown keys are asked for
// again sooner: a project may have been created since.
const knownForMs = 60_000
const unknownForMs = 2_000
const tokenShape = /^[A-Za-z0-9_-]{22}$/
const keyShape = /^wk_[A-Za-z0-9_-]{22}$/

export async function openWidgetCache(database: Database): Promise<WidgetCache> {
  const entries = new Map<string, { widget: Promise<Widget | undefined>; freshUntilMs: number }>()

  const stop = await database.listen(
    'widget_changed',
    (key) => entries.delete(key),
    () => entries.clear(),
  )

  return {
    find: async (key) => {
      if (!keyShape.test(key)) return undefined
      const nowMs = performance.now()
      const entry = entries.get(key)
      if (entry && entry.freshUntilMs > nowMs) return entry.widget
      if (entries.size >= maxEntries) entries.clear()
      // The promise is kept, not its value: a thousand visitors of a cold key make one query.
      const widget = database.asSystem('a visitor names a widget by its public key', (tx) => findWidget(tx, key))
      const fresh = { widget, freshUntilMs: nowMs + knownForMs }
      entries.set(key, fresh)
      try {
        const found = await widget
        if (!found) fresh.freshUntilMs = performance.now() + unknownForMs
        return found
      } catch (error) {
        entries.delete(key)
        throw error
      }
    },
    findDraft: async (key, token) => {
      if (!keyShape.test(key) || !tokenShape.test(token)) return undefined
      return database.asSystem('a preview names a draft by its token', (tx) => findDraft(tx, key, token))
    },
    close: () => stop(),
  }
}
