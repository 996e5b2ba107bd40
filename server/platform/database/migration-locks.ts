import { earlyLocks } from './early-migration-locks.ts'

/** Modes of table locks that keep something from working, from weak to strong. Reading alone is not declared. */
export const lockModes = [
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
] as const
export type LockMode = (typeof lockModes)[number]

/** What a migration does to a table while it has the lock. `brief`: changes the catalogue alone, whatever the table's size. */
export const lockWork = ['brief', 'reads rows', 'changes rows', 'rewrites'] as const
export type LockWork = (typeof lockWork)[number]

/** A lock that a migration takes on a table that was there before it. */
export interface TableLock {
  readonly table: string
  readonly mode: LockMode
  readonly work: LockWork
  /** Why the table never has many rows; null: it may. */
  readonly smallBecause: string | null
}

/** Something that the version before would miss, and why it no longer needs it. */
export interface Allowance {
  /** A table, or a column as `schema.table.column`. */
  readonly name: string
  readonly change: 'dropped' | 'not null' | 'type'
  /** The first version that does without it. */
  readonly since: string
}

export interface MigrationNotes {
  /** Undefined: the file declares nothing. */
  readonly locks: readonly TableLock[] | undefined
  readonly allowances: readonly Allowance[]
}

/** From this number on, a migration declares its locks in its own file; those of earlier ones stand in a list. */
export const firstDeclaringNumber = 59

/** The last migration of the first schema: those after it are upgrades. */
export const firstSchema = '0012_events.sql'

/** Whether a lock keeps others from writing to the table. */
export function blocksWriters(mode: LockMode): boolean {
  return lockModes.indexOf(mode) >= lockModes.indexOf('share')
}

/**
 * Reads the comments in which a migration declares its locks:
 *
 *     -- lock: none
 *     -- lock: public.feedback, access exclusive, brief
 *     -- lock: public.plans, access exclusive, rewrites, small: one row for each plan
 *     -- allow: public.feedback.mood dropped: unused since 1.2.0
 *
 * @throws when such a comment can't be read.
 */
export function readNotes(name: string, sql: string): MigrationNotes {
  const lines = [...sql.matchAll(/^-- (lock|allow): *(.*?) *$/gm)].map(([, kind, text = '']) => ({ kind, text }))
  const declared = lines.filter(({ kind }) => kind === 'lock').map(({ text }) => text)
  const locks = declared.length > 0 ? declared : earlyLocks[name]
  return {
    locks: locks?.filter((text) => text !== 'none').map((text) => readLock(name, text)),
    allowances: lines.filter(({ kind }) => kind === 'allow').map(({ text }) => readAllowance(name, text)),
  }
}

function readLock(name: string, text: string): TableLock {
  const [table = '', mode = '', work = '', ...rest] = text.split(', ')
  const [, smallBecause = null] = /^small: (.+)$/.exec(rest.join(', ')) ?? []
  if (!/^[a-z_]+\.[a-z0-9_]+$/.test(table) || (rest.length > 0 && smallBecause === null)) throw unreadable(name, text)
  return { table, mode: find(lockModes, mode, name, text), work: find(lockWork, work, name, text), smallBecause }
}

function readAllowance(name: string, text: string): Allowance {
  const [, what, change, since] =
    /^([a-z_]+(?:\.[a-z0-9_]+){1,2}) (dropped|not null|type): \w+ since (\d+\.\d+\.\d+)$/.exec(text) ?? []
  if (what === undefined || change === undefined || since === undefined) throw unreadable(name, text)
  return { name: what, change: find(['dropped', 'not null', 'type'], change, name, text), since }
}

function find<T extends string>(known: readonly T[], word: string, name: string, text: string): T {
  const found = known.find((each) => each === word)
  if (found === undefined) throw unreadable(name, text)
  return found
}

function unreadable(name: string, text: string): Error {
  return new Error(`Migration ${name} has a note that can’t be read: ${text}. CONTRIBUTING.md has the form.`)
}

/** A lock as it is declared. */
export function formatLock({ table, mode, work, smallBecause }: TableLock): string {
  return [table, mode, work, ...(smallBecause === null ? [] : [`small: ${smallBecause}`])].join(', ')
}
