import { Readable } from 'node:stream'
import type { Suppression } from '#contract/email-suppressions.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { recordDownload } from '#server/platform/events/record-download.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import { type Place, readPlace, writePlace } from '../outbox/place.ts'
import * as queries from './suppressions.queries.ts'

const pageSize = 50
const rowsAtATime = 500
const reason = 'addresses are suppressed for the whole instance'

export type Suppressions = ReturnType<typeof createSuppressions>

/** Addresses that get no emails, as superadmins read and change them. */
export function createSuppressions(database: Database) {
  async function readPage(search: string, after: Place | undefined, limit: number) {
    // One more than a page: whether there is a next.
    const options = { search, after, limit: limit + 1 }
    const found = await database.asSystem(reason, (tx) => queries.listSuppressions(tx, options))
    const last = found.length > limit ? found[limit - 1] : undefined
    return { items: found.slice(0, limit).map(toSuppression), next: last && { at: last.place, id: last.id } }
  }

  async function* readRows(search: string): AsyncGenerator<Cell[]> {
    yield ['address', 'reason', 'since']
    let after: Place | undefined
    do {
      const { items, next } = await readPage(search, after, rowsAtATime)
      for (const { address, reason: why, since } of items) yield [address, why, since]
      after = next
    } while (after)
  }

  return {
    /** @throws ProductError `validation_failed` for a foreign cursor. */
    list: async ({ search = '', cursor, limit = pageSize }: { search?: string; cursor?: string; limit?: number }) => {
      const { items, next } = await readPage(search, cursor === undefined ? undefined : readPlace(cursor), limit)
      return { items, nextCursor: next ? writePlace(next) : null }
    },

    /** Notes the download, and begins it. */
    export: async (search = ''): Promise<Readable> => {
      await recordDownload(database, 'Suppression list', search === '' ? {} : { search })
      return Readable.from(writeCsv(readRows(search)))
    },

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
