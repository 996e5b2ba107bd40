import type { Suppression, SuppressionFilters } from '#contract/email-suppressions.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { createDownloadableList } from '#server/platform/events/downloadable-list.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readTimeCursor, type TimePlace, writeTimeCursor } from '#server/platform/http/time-cursor.ts'
import * as queries from './suppressions.queries.ts'

const pageSize = 50
const reason = 'addresses are suppressed for the whole instance'

export type Suppressions = ReturnType<typeof createSuppressions>

/** Addresses that get no emails, as superadmins read and change them. */
export function createSuppressions(database: Database) {
  return {
    ...createDownloadableList(database, {
      name: 'Suppression list',
      file: 'suppressed',
      columns: ['address', 'reason', 'since'],
      pageSize,
      find: (filters: SuppressionFilters, page: { after: TimePlace | undefined; limit: number }) =>
        database.asSystem(reason, (tx) => queries.listSuppressions(tx, filters, page)),
      placeOf: ({ place, id }): TimePlace => ({ at: place, id }),
      readCursor: readTimeCursor,
      writeCursor: writeTimeCursor,
      toItem: toSuppression,
      toCells: ({ address, reason: why, since }) => [address, why, since],
    }),

    add: (address: string): Promise<Suppression> =>
      database.asSystem(reason, async (tx) => {
        const isNew = await queries.suppress(tx, address, 'manual')
        const row = await queries.findSuppression(tx, address)
        if (!row) throw new Error('a suppression was deleted in the transaction that added it')
        if (isNew) await note(tx, 'email_suppression.added', row)
        return toSuppression(row)
      }),

    /** @throws ProductError `suppression_not_found`. */
    remove: (id: string): Promise<void> =>
      database.asSystem(reason, async (tx) => {
        const address = await queries.deleteSuppression(tx, id)
        if (address === undefined) throw new ProductError('suppression_not_found')
        await note(tx, 'email_suppression.removed', { id, address })
      }),
  }
}

function note(tx: SystemTx, action: string, { id, address }: { id: string; address: string }): Promise<void> {
  return writeInstanceEntry(tx, {
    action,
    targetType: 'email_suppression',
    targetId: id,
    targetName: address,
    after: {},
  })
}

function toSuppression({ place: _, since, ...row }: queries.SuppressionRow): Suppression {
  return { ...row, since: since.toISOString() }
}
