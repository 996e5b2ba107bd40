/** One line of the page's console. Times are milliseconds before the item was sent. */
export interface ConsoleEntry {
  readonly beforeMs: number
  readonly level: 'error' | 'warn' | 'info' | 'debug'
  readonly text: string
}

/** One request of the page. Status 0: it failed without an answer. */
export interface NetworkEntry {
  readonly beforeMs: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly durationMs: number
}

export interface RouteEntry {
  readonly beforeMs: number
  readonly url: string
}

export interface PageEvents {
  readonly console: readonly ConsoleEntry[]
  readonly network: readonly NetworkEntry[]
  readonly routes: readonly RouteEntry[]
  /** All of the context that is none of these. */
  readonly rest: Readonly<Record<string, unknown>>
}

const maxEntries = 200

/**
 * What happened on the page, out of an item's context. Visitors can send any JSON: entries that are not of the form in
 * which the widget writes them stay among the rest, so that nothing is hidden.
 *
 * @param sentAtMs when the item was received, in milliseconds since 1970
 */
export function readPageEvents(context: Readonly<Record<string, unknown>>, sentAtMs: number): PageEvents {
  const rest = { ...context }
  const take = <Entry>(name: string, read: (values: readonly unknown[]) => Entry | undefined): Entry[] => {
    const list = context[name]
    if (!Array.isArray(list) || list.length === 0) return []
    const entries = list.slice(-maxEntries).map((values) => (Array.isArray(values) ? read(values) : undefined))
    if (entries.includes(undefined)) return []
    delete rest[name]
    // No undefined among them, see above.
    return entries as Entry[]
  }
  const before = (time: unknown) => Math.max(0, sentAtMs - Number(time))
  return {
    console: take('console', ([time, level, text]) =>
      typeof time === 'number' && typeof text === 'string'
        ? { beforeMs: before(time), level: readLevel(level), text }
        : undefined,
    ),
    network: take('network', ([time, method, url, status, durationMs]) =>
      typeof time === 'number' && typeof url === 'string' && typeof status === 'number'
        ? { beforeMs: before(time), method: String(method), url, status, durationMs: Number(durationMs) || 0 }
        : undefined,
    ),
    routes: take('routes', ([time, url]) =>
      typeof time === 'number' && typeof url === 'string' ? { beforeMs: before(time), url } : undefined,
    ),
    rest,
  }
}

function readLevel(level: unknown): ConsoleEntry['level'] {
  if (level === 'error' || level === 'warn' || level === 'debug') return level
  return 'info'
}
