import type { Config } from '#server/config.ts'
import type { Log } from '../log/log.ts'
import { type Database, openDatabase } from './database.ts'

export type ReplicaSettings = Pick<Config, 'databaseReplicaUrl' | 'databaseDirectUrl' | 'databaseMaxConnections'>

/** The configured replica; null: there is none. */
export function openReplica(settings: ReplicaSettings, log: Pick<Log, 'warn' | 'debug'>): Database | null {
  const { databaseReplicaUrl: url, databaseDirectUrl, databaseMaxConnections: maxConnections } = settings
  if (url === null) return null
  // Where the app's login has defaults for poolers, the replica has them too, and may stand behind a pooler itself.
  const directUrl = databaseDirectUrl === null ? null : url
  return openDatabase({ url, directUrl, isReplica: true, log, maxConnections })
}
