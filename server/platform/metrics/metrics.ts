import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

type IngestOutcome = 'accepted' | 'replayed' | 'refused' | 'failed'

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  /**
   * Records a finished request. `route` is the pattern (`/e/:widgetKey.js`), never the URL: labels must stay few.
   */
  observeRequest(method: string, route: string, statusCode: number, durationSeconds: number): void
  /** Counts submissions by result. */
  countIngest(outcome: IngestOutcome, count?: number): void
  /** Exposes a pool’s connections, read at each scrape. */
  watchPool(name: string, read: () => { total: number; idle: number; waiting: number }): void
  /** The exposition text and its content type. */
  print(): Promise<{ text: string; contentType: string }>
}

/** Starts measuring. Each call has a registry of its own, so that tests and several servers do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'earshot_http_request_duration_seconds',
    help: 'Time from a request to the end of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const submissions = new Counter({
    name: 'earshot_ingest_submissions_total',
    help: 'Submissions by result.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const pools = new Map<string, () => { total: number; idle: number; waiting: number }>()
  new Gauge({
    name: 'earshot_database_connections',
    help: 'Database connections: open in all, idle, and callers waiting for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, read] of pools) {
        for (const [state, count] of Object.entries(read())) this.set({ pool, state }, count)
      }
    },
  })
  return {
    observeRequest: (method, route, statusCode, durationSeconds) =>
      durations.observe({ method, route, status: `${Math.floor(statusCode / 100)}xx` }, durationSeconds),
    countIngest: (outcome, count = 1) => submissions.inc({ outcome }, count),
    watchPool: (name, read) => {
      pools.set(name, read)
    },
    print: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  }
}
