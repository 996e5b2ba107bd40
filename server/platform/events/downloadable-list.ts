import type { Database } from '../database/database.ts'
import type { Cell } from '../text/write-csv.ts'
import { beginDownload, type CsvDownload } from './csv-download.ts'

/** A list that superadmins read in pages, and download as CSV with the same filters. */
interface DownloadableList<Filters, Row, Item, Place> {
  /** As its screen has it, for the audit log. */
  readonly name: string
  /** Of the file, without day and extension. */
  readonly file: string
  readonly columns: readonly string[]
  /** Of a page whose reader names no other. */
  readonly pageSize: number
  readonly find: (filters: Filters, page: { after: Place | undefined; limit: number }) => Promise<readonly Row[]>
  readonly placeOf: (row: Row, filters: Filters) => Place
  /** Throws ProductError `validation_failed` for a foreign cursor, or one of another order. */
  readonly readCursor: (cursor: string, filters: Filters) => Place
  readonly writeCursor: (place: Place) => string
  readonly toItem: (row: Row) => Item
  readonly toCells: (item: Item) => readonly Cell[]
}

type PageOf<Filters> = Filters & { cursor?: string; limit?: number }

export function createDownloadableList<Filters extends object, Row, Item, Place>(
  database: Pick<Database, 'asSystem'>,
  parts: DownloadableList<Filters, Row, Item, Place>,
) {
  const { name, file, columns, pageSize, find, placeOf, readCursor, writeCursor, toItem, toCells } = parts

  async function readPage(filters: Filters, after: Place | undefined, limit: number) {
    // One more than a page: whether there is a next.
    const rows = await find(filters, { after, limit: limit + 1 })
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { items: rows.slice(0, limit).map(toItem), next: last && placeOf(last, filters) }
  }

  return {
    /** @throws ProductError `validation_failed` for a foreign cursor, or one of another order. */
    list: async ({ cursor, limit = pageSize, ...rest }: PageOf<Filters>) => {
      // A page's query without its place and size: its filters.
      const filters = rest as unknown as Filters
      const after = cursor === undefined ? undefined : readCursor(cursor, filters)
      const { items, next } = await readPage(filters, after, limit)
      return { items, nextCursor: next ? writeCursor(next) : null }
    },

    export: (filters: Filters): Promise<CsvDownload> =>
      beginDownload<Place>(database, {
        ...{ name, file, filters, columns },
        read: async (after, limit) => {
          const { items, next } = await readPage(filters, after, limit)
          return { rows: items.map(toCells), next }
        },
      }),
  }
}
