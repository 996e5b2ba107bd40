import type { NewReadOnlyMode } from '#contract/maintenance.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import type { ReadOnlyMode } from '#server/platform/read-only/read-only.queries.ts'
import * as queries from './maintenance.queries.ts'

const reason = 'read-only mode is of the whole instance'

/** Who turns it on: a superadmin by id, or a command by its name. */
export type Operator = { readonly userId: string } | { readonly name: string }

export interface Maintenance {
  /** Turns read-only mode on, or changes its message and end. Doing it again changes nothing. */
  turnOn(operator: Operator, wanted: NewReadOnlyMode): Promise<ReadOnlyMode>
  /** @returns what ended; undefined: it was off. */
  turnOff(): Promise<ReadOnlyMode | undefined>
  find(): Promise<ReadOnlyMode | undefined>
}

/** Read-only mode in the database, from which every process takes it. Each change is in the audit log of the instance. */
export function createMaintenance(database: Pick<Database, 'asSystem'>): Maintenance {
  return {
    turnOn: (operator, { message, endsAt }) =>
      database.asSystem(reason, async (tx) => {
        const before = await queries.findModeForUpdate(tx)
        const wanted = { message, endsAt: endsAt === null ? null : new Date(endsAt) }
        if (before && isSame(before, wanted)) return before
        const turnedOnBy = 'name' in operator ? operator.name : await queries.findCallerName(tx, operator.userId)
        await queries.saveMode(tx, { ...wanted, turnedOnBy })
        await note(tx, before ? 'read_only.changed' : 'read_only.turned_on', { message, expectedEnd: endsAt })
        const after = await queries.findModeForUpdate(tx)
        if (!after) throw new Error('read-only mode was not stored')
        return after
      }),

    turnOff: () =>
      database.asSystem(reason, async (tx) => {
        const before = await queries.findModeForUpdate(tx)
        if (!before) return undefined
        await queries.endMode(tx)
        await note(tx, 'read_only.turned_off', { since: before.since.toISOString() })
        return before
      }),

    find: () => database.asSystem(reason, (tx) => queries.findModeForUpdate(tx)),
  }
}

function isSame(one: Pick<ReadOnlyMode, 'message' | 'endsAt'>, other: Pick<ReadOnlyMode, 'message' | 'endsAt'>) {
  return one.message === other.message && one.endsAt?.getTime() === other.endsAt?.getTime()
}

function note(tx: SystemTx, action: string, after: Readonly<Record<string, unknown>>): Promise<void> {
  return writeInstanceEntry(tx, { action, targetType: 'instance', targetName: 'Read-only mode', after })
}
