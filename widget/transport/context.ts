import type { Rings, Stage } from '../loader/stage.ts'

/** Bytes of JSON: what the contract takes of a context (64 kB), with a little room. */
const maxBytes = 63_000
/** Longest text of our own reading, in characters. */
const maxLength = 2000

/** What not every browser has, and the types do not know. */
interface Hints {
  connection?: { effectiveType?: string; saveData?: boolean }
  deviceMemory?: number
  userAgentData?: { getHighEntropyValues(hints: string[]): Promise<unknown> }
}

type Lists = Partial<Pick<Rings, 'console' | 'network' | 'routes'>>

/** Leaves out what is oldest in the longest list until it fits, and says so: `truncated`. */
export function boundContext<Context extends Lists>(context: Context): Context & { truncated?: true } {
  const bounded: Context & { truncated?: true } = { ...context }
  for (;;) {
    const [list] = [bounded.console ?? [], bounded.network ?? [], bounded.routes ?? []].sort(
      (a, b) => b.length - a.length,
    )
    if (!list?.length || new TextEncoder().encode(JSON.stringify(bounded)).length <= maxBytes) return bounded
    bounded.truncated = true
    list.splice(0, Math.ceil(list.length / 8))
  }
}

/** Milliseconds from the start of the page's load, where the browser knows them. */
function readLoadTimes(): Record<string, number> {
  const times: Record<string, number> = {}
  const [navigation] = performance.getEntriesByType('navigation')
  for (const name of ['responseStart', 'domContentLoadedEventEnd', 'loadEventEnd'] as const) {
    times[name] = Math.round((navigation as PerformanceNavigationTiming | undefined)?.[name] ?? 0)
  }
  const observer = new PerformanceObserver(() => {})
  observer.observe({ type: 'largest-contentful-paint', buffered: true })
  times.largestPaint = Math.round(observer.takeRecords().at(-1)?.startTime ?? 0)
  observer.disconnect()
  return times
}

/**
 * What the page and the browser look like now, and what happened on the page before, as far as the project wants to
 * know: at most 64 kB of JSON. The page's own address and title are part of the submission.
 */
export async function readContext({ settings, rings }: Stage): Promise<Record<string, unknown>> {
  const { connection, deviceMemory, userAgentData } = navigator as Hints
  const matches = (query: string) => window.matchMedia(`(${query})`).matches
  return boundContext({
    userAgent: navigator.userAgent,
    // Browsers that keep the version of the system out of their user agent tell it here.
    system: await userAgentData?.getHighEntropyValues(['platformVersion', 'model', 'architecture']).catch(() => {}),
    language: navigator.language,
    languages: navigator.languages,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    viewport: { width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio },
    zoom: visualViewport?.scale,
    screen: { width: screen.width, height: screen.height },
    colorScheme: matches('prefers-color-scheme:dark') ? 'dark' : 'light',
    reducedMotion: matches('prefers-reduced-motion'),
    touch: matches('pointer:coarse'),
    online: navigator.onLine,
    connection: connection && { type: connection.effectiveType, saveData: connection.saveData },
    memory: deviceMemory,
    cores: navigator.hardwareConcurrency,
    // Of another page only where it was: its query is nobody's business.
    referrer: document.referrer.replace(/[?#].*/, '').slice(0, maxLength) || undefined,
    clicked: rings.clicked.slice(0, maxLength) || undefined,
    load: readLoadTimes(),
    routes: [...rings.routes],
    ...(settings.console && { console: [...rings.console] }),
    ...(settings.network && { network: [...rings.network] }),
  })
}
