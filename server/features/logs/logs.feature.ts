import { hostname } from 'node:os'
import { createPlaces } from '#server/platform/admission/places.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import type { Feature } from '#server/platform/feature.ts'
import { findWaitingLines } from '#server/platform/log/waiting-lines.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readLatestLines } from './latest-lines.ts'
import { type LogWriter, startLogWriter } from './log-writer.ts'
import { logsJobs } from './logs.jobs.ts'
import { logsRoutes } from './logs.routes.ts'
import { createLogs } from './logs.service.ts'

const streamsOfOneUser = 10
const streamsInAll = 50
/** What fails while lines are stored must not add lines. */
const noLog = { warn: () => {}, debug: () => {} }

export interface LogsFeature extends Feature {
  /** The latest lines of all processes as JSON Lines, oldest first; of this process alone while the database is away. */
  readLatestLines(): Promise<string>
}

/** Stores the log lines of every process in the database, for superadmins to search and follow. */
export function createLogsFeature({ config, database, log, yielding }: Platform): LogsFeature {
  let own: Database | undefined
  let writer: LogWriter | undefined
  return {
    name: 'logs',
    start: async () => {
      const waiting = findWaitingLines(log)
      if (!waiting || config.storedLogs.days === 0) return
      own = openDatabase({
        url: config.databaseUrl,
        directUrl: config.databaseDirectUrl,
        log: noLog,
        maxConnections: 1,
        applicationName: 'earshot logs',
      })
      writer = startLogWriter({
        ...{ database: own, waiting, yielding, log },
        process: `${hostname()}:${process.pid}`,
        limits: config.storedLogs,
      })
    },
    stop: async () => {
      await writer?.stop()
      await own?.close()
    },
    readLatestLines: async () => {
      await writer?.flush()
      const stored = await readLatestLines(database).catch(() => '')
      return stored + (findWaitingLines(log)?.read().join('') ?? '')
    },
    jobs: () => logsJobs({ config, database, log }),
    routes: (app) =>
      logsRoutes(app, createLogs(database, config), createPlaces({ perOwner: streamsOfOneUser, inAll: streamsInAll })),
  }
}
