import type { Service } from './service.ts'

/** From here on, a measure is poor (https://web.dev/articles/vitals): milliseconds, and a score for layout shifts. */
const thresholds = { LCP: 4_000, INP: 500, CLS: 0.25, TTFB: 1_800 } as const
type Metric = keyof typeof thresholds

/** Layout shifts belong together with pauses of at most a second, and for at most five. */
const sessionPauseMs = 1_000
const sessionMs = 5_000

interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/** Counts what is slow for the person, each measure at most once per page load. @returns what ends it. */
export function watchPerformance(capture: NonNullable<Service['capture']>): () => void {
  const told = new Set<Metric>()
  const observers: PerformanceObserver[] = []

  function check(metric: Metric, value: number): void {
    const threshold = thresholds[metric]
    if (value <= threshold || told.has(metric)) return
    told.add(metric)
    capture('performance_issue', { metric, value: Math.round(value * 1_000) / 1_000, threshold })
  }

  function observe(type: string, onEntry: (entry: PerformanceEntry) => void, options: object = {}): void {
    // Unknown to Safari and Firefox in part.
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(onEntry))
    observer.observe({ type, buffered: true, ...options })
    observers.push(observer)
  }

  let session = { value: 0, startMs: 0, lastMs: 0 }
  observe('layout-shift', (entry) => {
    // Entries of this type have these fields; the DOM's types do not know them.
    const { value, hadRecentInput, startTime } = entry as LayoutShift
    if (hadRecentInput) return
    const continues = startTime - session.lastMs < sessionPauseMs && startTime - session.startMs < sessionMs
    session = continues
      ? { ...session, value: session.value + value, lastMs: startTime }
      : { value, startMs: startTime, lastMs: startTime }
    check('CLS', session.value)
  })
  observe('largest-contentful-paint', ({ startTime }) => check('LCP', startTime))
  // Entries without an id are no interactions: hovering, for example.
  observe('event', (entry) => (entry as PerformanceEventTiming).interactionId > 0 && check('INP', entry.duration), {
    durationThreshold: thresholds.INP,
  })
  // The entry of this type.
  observe('navigation', (entry) => check('TTFB', (entry as PerformanceNavigationTiming).responseStart))
  return () => {
    for (const observer of observers) observer.disconnect()
  }
}
