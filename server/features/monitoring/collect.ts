import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Services } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import * as queries from './collect.queries.ts'
import { measureProcess } from './measure-process.ts'
import { raiseAlerts } from './raise-alerts.ts'

const reason = 'monitoring measures the whole instance'
const minuteMs = 60_000
/** After the minute began, so that clocks that differ by less agree on the minute. */
const offsetMs = 500

export interface Collector {
  /** Measures and stores a minute. Called every minute by itself. */
  collect(): Promise<void>
  stop(): Promise<void>
}

/** Measures this process every minute, and the instance when no other process has. */
export function startCollector(
  { config, database, log }: Pick<Platform, 'config' | 'database' | 'log'>,
  services: Services,
): Collector {
  const meter = measureProcess(config.dataDir)
  const identity: queries.ProcessIdentity = {
    id: randomUUID(),
    services: [services.web && 'web', services.worker && 'worker'].filter(Boolean).join(','),
    host: hostname(),
    pid: process.pid,
    appVersion: config.appVersion,
    nodeVersion: process.versions.node,
    startedAt: new Date(Date.now() - process.uptime() * 1000),
  }
  let isKnown = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  async function collect(): Promise<void> {
    const sample = await meter.read()
    await database.asSystem(reason, async (tx) => {
      await queries.noteProcess(tx, identity)
      await queries.insertProcessMinute(tx, identity.id, sample)
    })
    isKnown = true
    await database.asSystem(reason, async (tx) => {
      if (!(await queries.tryLockMonitoring(tx))) return
      const minute = await queries.insertInstanceMinute(tx)
      if (!minute) return
      await raiseAlerts(tx, minute, config.appUrl)
      if (minute.getUTCMinutes() === 0) await queries.pruneFigures(tx)
    })
  }

  function schedule(): void {
    if (isStopped) return
    const untilNextMs = minuteMs - (Date.now() % minuteMs) + offsetMs
    timer = setTimeout(() => {
      running = collect().catch((error: unknown) => log.warn({ err: error }, 'monitoring could not store a minute'))
      running.then(schedule)
    }, untilNextMs)
    timer.unref()
  }
  schedule()

  return {
    collect,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
      meter.stop()
      if (!isKnown) return
      await database.asSystem(reason, (tx) => queries.endProcess(tx, identity.id)).catch(() => {})
    },
  }
}
