import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { RouteContract } from '#contract/route.ts'
import type { Database } from '../database/database.ts'
import { addRoute, answer, type Call, type Handler } from '../http/add-route.ts'
import { type Cell, writeCsv } from '../text/write-csv.ts'
import { downloadOptions, recordDownload } from './record-download.ts'

/** Rows that one transaction reads. */
const rowsAtATime = 500

/** A part of a list. `next`: where the part after it begins; undefined: this is the last. */
export interface ListPart<Place> {
  readonly rows: readonly (readonly Cell[])[]
  readonly next: Place | undefined
}

/** A list, as a superadmin downloads it. */
export interface DownloadedList<Place> {
  /** As its screen has it, for the audit log. */
  readonly name: string
  /** Of the file, without day and extension. */
  readonly file: string
  readonly filters: object
  readonly columns: readonly string[]
  readonly read: (after: Place | undefined, limit: number) => Promise<ListPart<Place>>
}

export interface CsvDownload {
  readonly fileName: string
  readonly content: Readable
}

/**
 * Records in the audit log that the superadmin who makes the present request downloads a list, and begins the file.
 *
 * The first rows are read before that: what `read` throws then is the answer, instead of a file that breaks off.
 */
export async function beginDownload<Place>(
  database: Pick<Database, 'asSystem'>,
  { name, file, filters, columns, read }: DownloadedList<Place>,
): Promise<CsvDownload> {
  const first = await read(undefined, rowsAtATime)
  await recordDownload(database, name, filters)
  async function* listRows(): AsyncGenerator<readonly Cell[]> {
    yield columns
    yield* first.rows
    for (let { next } = first; next !== undefined; ) {
      const part: ListPart<Place> = await read(next, rowsAtATime)
      yield* part.rows
      next = part.next
    }
  }
  return {
    fileName: `${file}-${new Date().toISOString().slice(0, 10)}.csv`,
    content: Readable.from(writeCsv(listRows())),
  }
}

/** Adds the route that downloads a list. It is served while the instance is read-only, too. */
export function addDownload<const R extends RouteContract>(
  app: FastifyInstance,
  contract: R,
  begin: (call: Call<R>) => Promise<CsvDownload>,
): void {
  const handler = async (call: Call<R>) => {
    const { fileName, content } = await begin(call)
    return answer(200, content, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
    })
  }
  // A stream is sent as it is; the contract can only call it text.
  addRoute(app, contract, handler as unknown as Handler<R>, downloadOptions)
}
