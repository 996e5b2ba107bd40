import { isUuid } from '#contract/uuid.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { beginDownload, type CsvDownload } from '#server/platform/events/csv-download.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { listParts, type PartPlace, type PartsSource } from './figure-parts.queries.ts'

/*
 * A figure of the instance that sums from organisations, such as revenue or use: which they are, and what each adds.
 */

export interface FigurePartsQuery {
  /** Part of a name or slug. */
  readonly search?: string
  /** Default: the largest amount first. */
  readonly sort?: 'amount' | 'name'
  readonly cursor?: string
  readonly limit?: number
}

export interface FigurePartsPage {
  readonly items: { organization: { id: string; name: string; slug: string }; amount: number }[]
  /** Of all that match. */
  readonly total: number
  readonly count: number
  readonly nextCursor: string | null
}

const pageSize = 50

/** @throws ProductError `validation_failed` for a foreign cursor. */
export async function listFigureParts(
  tx: SystemTx,
  source: PartsSource,
  { search = '', sort = 'amount', cursor, limit = pageSize }: FigurePartsQuery,
): Promise<FigurePartsPage> {
  const { rows, total, count } = await listParts(tx, source, {
    search: search.trim().toLowerCase(),
    sort,
    after: cursor === undefined ? undefined : readCursor(cursor),
    // One more than a page: whether there is a next.
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ amount, ...organization }) => ({ organization, amount })),
    total,
    count,
    nextCursor: rows.length > limit && last ? writeCursor(last) : null,
  }
}

interface DownloadedParts {
  /** For the audit log. */
  readonly name: string
  /** Of the file, without day and extension. */
  readonly file: string
  readonly filters: object
  /** Heading of the amounts. */
  readonly amount: string
  readonly list: (page: FigurePartsQuery) => Promise<FigurePartsPage>
}

export function downloadFigureParts(
  database: Pick<Database, 'asSystem'>,
  { name, file, filters, amount: heading, list }: DownloadedParts,
): Promise<CsvDownload> {
  return beginDownload<string>(database, {
    name,
    file,
    filters,
    columns: ['organization_id', 'organization_name', 'slug', heading],
    read: async (after, limit) => {
      const { items, nextCursor } = await list({ limit, ...(after !== undefined && { cursor: after }) })
      return {
        rows: items.map(({ organization: { id, name: own, slug }, amount }) => [id, own, slug, amount]),
        next: nextCursor ?? undefined,
      }
    },
  })
}

function writeCursor({ amount, name, id }: PartPlace): string {
  return Buffer.from(JSON.stringify([amount, name.toLowerCase(), id])).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
function readCursor(cursor: string): PartPlace {
  try {
    const [amount, name, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Number.isSafeInteger(amount) && typeof name === 'string' && typeof id === 'string' && isUuid(id))
      return { amount: Number(amount), name, id }
  } catch {
    // No JSON, or no list.
  }
  throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
}
