import { rebuildsItself } from '#server/platform/database/index-migrations.ts'
import type { MigrationFile } from '#server/platform/database/migration-files.ts'
import {
  type Allowance,
  blocksWriters,
  formatLock,
  lockWork,
  type MigrationNotes,
  type TableLock,
} from '#server/platform/database/migration-locks.ts'
import { compareVersions } from '#server/platform/database/migration-state.ts'
import type { MeasuredLock, MeasuredMigration } from './measure-migration.ts'

/** Where a migration's declaration differs from what it did; empty: nowhere. */
export function findUntrueLocks(
  file: MigrationFile,
  { locks }: MigrationNotes,
  measured: readonly MeasuredLock[],
): string[] {
  if (!locks) {
    const lines = measured.map((lock) => `-- lock: ${formatLock({ ...lock, smallBecause: null })}`)
    return [`${file.name} declares no lock. Write into its head:\n${lines.join('\n') || '-- lock: none'}`]
  }
  const missing = measured.filter(({ table, mode, work }) => {
    const declared = locks.find((lock) => lock.table === table)
    // An empty table shows less work than it declares.
    return declared?.mode !== mode || lockWork.indexOf(declared.work) < lockWork.indexOf(work)
  })
  const untaken = locks.filter(({ table }) => !measured.some((lock) => lock.table === table))
  return [
    ...missing.map(
      (lock) => `${file.name} takes the lock ${formatLock({ ...lock, smallBecause: null })}, and does not declare it.`,
    ),
    ...untaken.map((lock) => `${file.name} declares ${formatLock(lock)}, and does not take it.`),
  ]
}

/**
 * Why a migration is not safe beside processes of the version before, or keeps writers waiting for as long as a table is
 * large; empty: it is safe.
 */
export function findDangers(
  file: MigrationFile,
  notes: MigrationNotes,
  measured: MeasuredMigration,
  appVersion: string,
): string[] {
  return [
    ...findLongLocks(file, notes.locks ?? [], measured),
    ...findMissed(file, notes.allowances, measured, appVersion),
    ...notes.allowances
      .filter(({ since }) => compareVersions(since, appVersion) >= 0)
      .map(
        ({ name, since }) =>
          `${file.name}: ${name} is used by the version before ${appVersion}; “since ${since}” must be an earlier one.`,
      ),
  ]
}

function findLongLocks(file: MigrationFile, locks: readonly TableLock[], measured: MeasuredMigration): string[] {
  const isSmall = (table: string) => locks.some((lock) => lock.table === table && lock.smallBecause !== null)
  const long = measured.locks.filter(
    ({ table, mode, work }) => blocksWriters(mode) && work !== 'brief' && !isSmall(table),
  )
  const built = measured.built.filter(({ table }) => !isSmall(table))
  return [
    ...long.map(
      ({ table, mode, work }) =>
        `${file.name} ${work} of ${table} under the lock ${mode}: writers wait for as long as the table is large. Split it: rows in a migration of their own, or declare why the table is small.`,
    ),
    ...built.map(({ table, name, kind }) =>
      kind === 'index'
        ? `${file.name} builds ${name} while ${table} takes no writes. Use “-- no-transaction” and create index concurrently.`
        : `${file.name} checks all rows of ${table} for ${name}. Add it with “not valid”, and validate it in a later migration.`,
    ),
  ]
}

function findMissed(
  file: MigrationFile,
  allowances: readonly Allowance[],
  { before, after }: MeasuredMigration,
  appVersion: string,
): string[] {
  const isAllowed = (column: string, change: Allowance['change']) =>
    allowances.some(
      (each) => each.change === change && (each.name === column || each.name === column.replace(/\.[^.]+$/, '')),
    )
  const tables = new Set([...before.keys()].map((column) => column.replace(/\.[^.]+$/, '')))
  const dangers: string[] = []
  for (const [column, was] of before) {
    const is = after.get(column)
    const add = (change: Allowance['change'], what: string) => {
      if (isAllowed(column, change)) return
      dangers.push(
        `${file.name} ${what}: the version before ${appVersion} still uses it. Do it once a released version does without, and say so: “-- allow: ${column} ${change}: … since …”.`,
      )
    }
    if (!is) add('dropped', `drops or renames ${column}`)
    else if (is.type !== was.type) add('type', `changes the type of ${column}`)
    else if (is.isRequired && !was.isRequired) add('not null', `makes ${column} not null`)
  }
  for (const [column, is] of after) {
    const isNew = !before.has(column) && tables.has(column.replace(/\.[^.]+$/, ''))
    if (!isNew || !is.isRequired || is.hasDefault) continue
    dangers.push(
      `${file.name} adds ${column} as not null without a default: the version before can’t insert rows any more.`,
    )
  }
  return dangers
}

/** Why a file outside a transaction is refused; undefined: it is not. */
export function judgeLoneMigration(file: MigrationFile): string | undefined {
  if (file.transactional || rebuildsItself(file)) return undefined
  return `${file.name} runs outside a transaction and is not one “create index concurrently name on schema.table”: an interruption could not be repaired.`
}
