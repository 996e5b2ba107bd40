import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { openReplica } from './database/replica.ts'
import { createReports, type Reports } from './database/reports.ts'
import { createDispatchRequests, type DispatchRequests } from './events/dispatch-requests.ts'
import { createSharedBuckets, type SharedBuckets } from './limits/shared-buckets.ts'
import { type NamedLocks, openNamedLocks } from './locks/named-locks.ts'
import type { Log } from './log/log.ts'
import { type MailTransport, openMailTransport } from './mail/mail-transport.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { createReadOnly, type ReadOnly } from './read-only/read-only.ts'
import { createInstanceSecret, type InstanceSecret, loadInstanceSecret } from './secret/instance-secret.ts'
import { createSeals, type Seals } from './secret/seals.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import { createYielding, type Yielding } from './yielding/yielding.ts'

/** What every feature is made of. Database, locks and mail transport connect when they are first used. */
export interface Platform {
  readonly config: Config & { readonly databaseUrl: string }
  readonly log: Log
  readonly database: Database
  /** The configured replica; null: there is none. Read it through `reports`. */
  readonly replica: Database | null
  /** Reads of analytics, reports and exports, which a replica may answer. */
  readonly reports: Reports
  readonly storage: Storage
  readonly locks: NamedLocks
  readonly mailTransport: MailTransport
  /** Requests to addresses that users give. */
  readonly outbound: Outbound
  /** Rate limits that all processes share. */
  readonly buckets: SharedBuckets
  /** Work in the background that yields to visitors. */
  readonly yielding: Yielding
  /** Dispatch of events that were recorded without a job for it. */
  readonly dispatch: DispatchRequests
  /** Whether the instance takes no writes, for maintenance. */
  readonly readOnly: ReadOnly
  /** Signs links and derives keys. */
  readonly secret: InstanceSecret
  /** Encrypts credentials that tables store. */
  readonly seals: Seals
  /** Null: not measured. */
  readonly metrics: Metrics | null
  /** Where the built widget lies. */
  readonly widgetFolder: string
  /** Aborted when the server stops: jobs that take minutes end, and run again in another process. */
  readonly stopping: AbortSignal
}

export interface OpenPlatform extends Platform {
  /** Aborts {@link Platform.stopping}. */
  beginStop(): void
  close(): Promise<void>
}

/** @throws Error with one clear sentence when the instance's secret can't be read. */
export async function openPlatform(config: Platform['config'], log: Log): Promise<OpenPlatform> {
  const secret = await loadInstanceSecret({ dataDir: config.dataDir, configured: config.instanceSecret })
  const previous = config.previousInstanceSecret
  const seals = createSeals({ current: secret, previous: previous === null ? null : createInstanceSecret(previous) })
  const { databaseUrl: url, databaseDirectUrl: directUrl, databaseMaxConnections: maxConnections } = config
  const database = openDatabase({ url, directUrl, log, maxConnections })
  const replica = openReplica(config, log)
  const locks = openNamedLocks({ url: directUrl ?? url, log })
  const catcherUrl = config.production ? null : `smtp://localhost:${config.mailCatcher.smtpPort}`
  const mailTransport = openMailTransport({ smtpUrl: config.smtpUrl ?? catcherUrl, from: config.mailFrom })
  const metrics = config.metricsEnabled ? createMetrics() : null
  metrics?.watchPool('app', () => database.connections())
  const buckets = createSharedBuckets(database, log)
  const outbound = createOutbound(config.outbound)
  const stop = new AbortController()
  const yielding = createYielding(database, stop.signal)
  const dispatch = createDispatchRequests(database, log)
  const readOnly = createReadOnly(database, log)
  return {
    config,
    log,
    database,
    replica,
    reports: createReports(database, replica, log),
    storage: openStorage(config),
    locks,
    mailTransport,
    outbound,
    buckets,
    yielding,
    dispatch,
    readOnly,
    secret,
    seals,
    metrics,
    widgetFolder: resolve(import.meta.dirname, '../../build/widget'),
    stopping: stop.signal,
    beginStop: () => stop.abort(),
    close: async () => {
      buckets.close()
      await dispatch.close()
      await yielding.close()
      await readOnly.close()
      mailTransport.close()
      await outbound.close()
      await locks.close()
      await replica?.close()
      await database.close()
    },
  }
}
