import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What a process measured of itself since the last reading. */
export interface ProcessSample {
  /** 99th percentile. */
  readonly delayMs: number
  /** Of one core. */
  readonly cpuPercent: number
  readonly memoryBytes: number
  /** Of the disk with the data folder. */
  readonly diskFreePercent: number
}

/**
 * How often the histogram looks. At 50 ms the measuring itself is below the limits of measurement; at Node's default of
 * 10 ms it woke the process a hundred times a second.
 */
const resolutionMs = 50

/** Measures this process. Apart from Prometheus's metrics, whose histogram each scrape would reset. */
export function measureProcess(dataDir: string): { read(): Promise<ProcessSample>; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let cpu = process.cpuUsage()
  let since = performance.now()
  return {
    read: async () => {
      const { bavail, blocks } = await statfs(dataDir)
      const { user, system } = process.cpuUsage(cpu)
      const elapsedMs = Math.max(1, performance.now() - since)
      // The histogram measures from one look to the next, so a process without delay shows the resolution.
      const delayMs = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs)
      cpu = process.cpuUsage()
      since = performance.now()
      delays.reset()
      return {
        delayMs: Number.isFinite(delayMs) ? delayMs : 0,
        cpuPercent: (user + system) / 10 / elapsedMs,
        memoryBytes: process.memoryUsage.rss(),
        diskFreePercent: (100 * bavail) / Math.max(1, blocks),
      }
    },
    stop: () => delays.disable(),
  }
}
