import { readLag, readPosition } from '#server/platform/database/replica.queries.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { type Check, failed, notApplicable, ok, type Verdict, warning } from '../check.ts'

/** Reports wait a quarter of a second for the replica, and are read from the primary then. */
const mostSeconds = 10

export const replicaChecks: readonly Check[] = [
  {
    id: 'read-replica',
    area: 'Database',
    title: 'Replica for reports',
    remedy:
      'Check that DATABASE_REPLICA_URL leads to a streaming replica of the same database, its network, and what its longest queries are. Reports are read from the primary meanwhile.',
    needsDatabase: true,
    run: async ({ database, replica }) => {
      if (replica === null) return notApplicable('DATABASE_REPLICA_URL is not set: reports are read from the primary.')
      const position = await readPosition(database)
      try {
        return judgeLag(await readLag(replica, position))
      } catch (error) {
        return failed(`The replica can’t be read: ${readErrorMessage(error)}.`)
      }
    },
  },
]

export function judgeLag(lag: { bytes: number; seconds: number } | undefined): Verdict {
  if (lag === undefined) return warning('DATABASE_REPLICA_URL leads to a server that is no replica.')
  const sentence = `The replica is ${lag.seconds.toFixed(1)} s and ${(lag.bytes / 1024).toFixed(0)} kB of WAL behind.`
  return lag.seconds > mostSeconds ? warning(sentence) : ok(sentence)
}
