import { type Check, failed, ok, type Verdict, warning } from '../check.ts'
import * as queries from '../doctor.queries.ts'

export const databaseUpkeepChecks: readonly Check[] = [
  {
    id: 'autovacuum',
    area: 'Database',
    title: 'Autovacuum',
    remedy: 'Set autovacuum = on and track_counts = on in postgresql.conf, and reload the server.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { autovacuum, track_counts: counts } = await queries.readServerSettings(database)
      if (autovacuum === 'on' && counts === 'on') return ok('Autovacuum is on.')
      return failed('Autovacuum is off: tables grow, queries slow down, and in the end the database stops.')
    },
  },
  {
    id: 'dead-rows',
    area: 'Database',
    title: 'Dead rows',
    remedy:
      'Run `vacuum (analyze)` on the table. End transactions that stay open for hours, which keep it from working.',
    needsDatabase: true,
    run: async ({ database }) => {
      const [worst] = await queries.listNeglectedTables(database)
      if (!worst) return ok('Autovacuum keeps up.')
      return warning(`${worst.name} has ${worst.dead.toLocaleString('en')} dead rows: autovacuum is behind.`)
    },
  },
  {
    id: 'fsync',
    area: 'Database',
    title: 'Durability',
    remedy: 'Set fsync, full_page_writes and synchronous_commit to on in postgresql.conf, and reload the server.',
    needsDatabase: true,
    run: async ({ database }) => judgeDurability(await queries.readServerSettings(database)),
  },
  {
    id: 'checksums',
    area: 'Database',
    title: 'Data checksums',
    remedy: 'Stop the server and run `pg_checksums --enable` on its data folder.',
    needsDatabase: true,
    run: async ({ database }) => judgeChecksums(await queries.readServerSettings(database)),
  },
  {
    id: 'collation',
    area: 'Database',
    title: 'Version of the sort order',
    remedy: 'Run `reindex database`, then `alter database … refresh collation version`.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { stored, actual } = await queries.readCollationVersions(database)
      if (stored === null || stored === actual) return ok('Indexes are sorted as the system sorts.')
      return failed(`The system sorts by version ${actual}, and indexes by ${stored}: rows may not be found.`)
    },
  },
  {
    id: 'invalid-indexes',
    area: 'Database',
    title: 'Invalid indexes',
    remedy: 'Run `reindex index concurrently` with the index’s name.',
    needsDatabase: true,
    run: async ({ database }) => {
      const invalid = await queries.listInvalidIndexes(database)
      if (invalid.length === 0) return ok('All indexes are valid.')
      return warning(`${invalid.slice(0, 5).join(', ')} can’t be used: building it was interrupted.`)
    },
  },
]

export function judgeDurability(settings: Readonly<Record<string, string>>): Verdict {
  const off = ['fsync', 'full_page_writes'].filter((name) => settings[name] === 'off')
  if (off.length > 0) return failed(`${off.join(' and ')} is off: a power cut can destroy the database.`)
  if (settings.synchronous_commit === 'off')
    return warning('synchronous_commit is off: a crash can lose the last feedback.')
  return ok('Stored feedback survives a crash.')
}

export function judgeChecksums({ data_checksums: state }: Readonly<Record<string, string>>): Verdict {
  if (state === 'on') return ok('Damaged pages are noticed.')
  return warning('Data checksums are off: damage by a bad disk stays unnoticed.')
}
