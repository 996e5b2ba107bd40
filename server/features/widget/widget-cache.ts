import type { Database } from '#server/platform/database/database.ts'
import type { StopListening } from '#server/platform/database/listen.ts'
import { findDraft, findWidget, type Widget } from './widget.queries.ts'

/** Widgets by key, in memory: a page load or a submission asks the database only the first time. */
export interface WidgetCache {
  /** Starts hearing of changes. Until then, an entry is as old as its age allows. */
  listen(): Promise<void>
  find(key: string): Promise<Widget | undefined>
  /** The widget if it is in memory now. */
  findKnown(key: string): Widget | undefined
  /** The widget under the draft of that token; uncached, as only its editor looks. */
  findDraft(key: string, token: string): Promise<Widget | undefined>
  close(): Promise<void>
}

interface Entry {
  readonly widget: Promise<Widget | undefined>
  /** What `widget` resolved to. */
  known?: Widget
  freshUntilMs: number
}

const maxEntries = 10_000
// NOTIFY announces changes at once; this bounds the staleness after a lost notice. Unknown keys are asked for
// again sooner: a project may have been created since.
const knownForMs = 60_000
const unknownForMs = 2_000
const tokenShape = /^[A-Za-z0-9_-]{22}$/
const keyShape = /^wk_[A-Za-z0-9_-]{22}$/

export function createWidgetCache(database: Database): WidgetCache {
  const entries = new Map<string, Entry>()
  let stop: StopListening | undefined

  return {
    listen: async () => {
      stop = await database.listen(
        'widget_changed',
        (key) => entries.delete(key),
        () => entries.clear(),
      )
    },
    find: async (key) => {
      if (!keyShape.test(key)) return undefined
      const nowMs = performance.now()
      const entry = entries.get(key)
      if (entry && entry.freshUntilMs > nowMs) return entry.widget
      if (entries.size >= maxEntries) entries.clear()
      // The promise is kept, not its value: a thousand visitors of a cold key make one query.
      const widget = database.asSystem('a visitor names a widget by its public key', (tx) => findWidget(tx, key))
      const fresh: Entry = { widget, freshUntilMs: nowMs + knownForMs }
      entries.set(key, fresh)
      try {
        const found = await widget
        if (found) fresh.known = found
        else fresh.freshUntilMs = performance.now() + unknownForMs
        return found
      } catch (error) {
        entries.delete(key)
        throw error
      }
    },
    findKnown: (key) => {
      const entry = entries.get(key)
      return entry && entry.freshUntilMs > performance.now() ? entry.known : undefined
    },
    findDraft: async (key, token) => {
      if (!keyShape.test(key) || !tokenShape.test(token)) return undefined
      return database.asSystem('a preview names a draft by its token', (tx) => findDraft(tx, key, token))
    },
    close: async () => stop?.(),
  }
}
