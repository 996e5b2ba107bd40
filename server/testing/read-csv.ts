import { parse } from 'csv-parse/sync'

/** Rows of a downloaded file, by the names of their columns. */
export async function readCsv(reply: Response): Promise<Record<string, string>[]> {
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  // Every row has a cell for each column.
  return parse(await reply.text(), { bom: true, columns: true }) as Record<string, string>[]
}
