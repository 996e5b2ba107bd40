import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'
import type { Place } from './place.ts'

export interface LineRow
  extends Row<'app.app_logs', 'at' | 'level' | 'process' | 'message' | 'fields'>,
    RowAs<'app.app_logs', { requestId: 'request_id' }> {
  readonly id: number
  readonly part: Date
}

/** What a line must be. */
export interface Wanted {
  readonly from: Date | undefined
  /** Not included. */
  readonly to: Date | undefined
  /** At least this. */
  readonly level: number | undefined
  readonly terms: readonly string[]
  readonly requestId: string | undefined
  readonly process: string | undefined
  /** Groups of hashes for the index: of each, a line has at least one. */
  readonly hashes: readonly (readonly number[])[]
}

const columns = sql`l.id, app.log_part_of(l.at) as part, l.at, l.level, l.process, l.request_id as "requestId", l.message, l.fields`

/** Lines of a block have ids with the same `id >> 13`, as the index has it. */
export const linesOfBlock = 8_192

/** Words that contain a part, at most so many of each. */
export async function findWordsWith(tx: SystemTx, parts: readonly string[], limit: number) {
  const { rows } = await sql<{ part: string; word: string }>`
    select p.part, w.word from unnest(${parts}::text[]) as p (part)
    cross join lateral (
      select word from app.log_words where word like '%' || p.part || '%' limit ${limit}) w
  `.execute(tx)
  return rows
}

export interface Block {
  readonly part: Date
  readonly block: number
  readonly fromAt: Date
}

/** Some neighbouring lines of one block. */
export interface Stretch extends Block {
  readonly firstId: number
  readonly lastId: number
}

/** Blocks with lines of this time, in the order in which a search visits them. */
export async function listBlocks(
  tx: SystemTx,
  { from, to }: Pick<Wanted, 'from' | 'to'>,
  { before, after }: { before: Place | undefined; after: Place | undefined },
): Promise<Block[]> {
  const direction = after ? sql`asc` : sql`desc`
  const { rows } = await sql<Block>`
    select part, block, from_at as "fromAt" from app.log_blocks
    where ${from ? sql`to_at >= ${from}` : sql`true`} and ${to ? sql`from_at < ${to}` : sql`true`}
      and ${before ? sql`(part, block) <= (${before.part}::timestamptz, (${before.id}::bigint >> 13)::integer)` : sql`true`}
      and ${after ? sql`(part, block) >= (${after.part}::timestamptz, (${after.id}::bigint >> 13)::integer)` : sql`true`}
    order by part ${direction}, block ${direction}
  `.execute(tx)
  return rows
}

interface Step {
  readonly part: Date
  /** In the order of the visit. */
  readonly stretches: readonly Stretch[]
  readonly before: Place | undefined
  readonly after: Place | undefined
  readonly limit: number
}

/** The first lines of some neighbouring stretches of one part. */
export async function searchStretches(tx: SystemTx, wanted: Wanted, step: Step): Promise<LineRow[]> {
  const { stretches, part, after, limit } = step
  const direction = after ? sql`asc` : sql`desc`
  const indexed = toTokens(wanted)
  // Without anything to look up, the primary key gives the lines in their order.
  const inStretch = sql`l.id >= b.first and l.id <= b.last`
  const inBlock =
    indexed === undefined ? inStretch : sql`(l.id >> 13)::integer = b.block and ${indexed} and ${inStretch}`
  const { rows } = await sql<LineRow>`
    select l.* from unnest(${stretches.map(({ block }) => block)}::integer[],
      ${stretches.map(({ firstId }) => firstId)}::bigint[], ${stretches.map(({ lastId }) => lastId)}::bigint[]) as b (block, first, last)
    cross join lateral (
      select ${columns} from app.app_logs l
      where ${inBlock} and ${ofPart(part)} and ${beyond(step)} and ${matches(wanted)}
      order by l.id ${direction} limit ${limit}) l
    limit ${limit}
  `.execute(tx)
  return rows
}

/** Lines of a request within one part. */
export async function searchRequest(tx: SystemTx, wanted: Wanted, step: Omit<Step, 'stretches'>): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select ${columns} from app.app_logs l
    where ${ofPart(step.part)} and ${beyond(step)} and ${matches(wanted)}
    order by l.id ${step.after ? sql`asc` : sql`desc`} limit ${step.limit}
  `.execute(tx)
  return rows
}

/** Ids of parts overlap by a batch: a place in another part says nothing about them. */
function beyond({ part, before, after }: Pick<Step, 'part' | 'before' | 'after'>): RawBuilder<unknown> {
  const conditions = [
    ...(before?.part.getTime() === part.getTime() ? [sql`l.id < ${before.id}::bigint`] : []),
    ...(after?.part.getTime() === part.getTime() ? [sql`l.id > ${after.id}::bigint`] : []),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

const partMs = 6 * 3_600_000

function ofPart(part: Date): RawBuilder<unknown> {
  return sql`l.at >= ${part}::timestamptz and l.at < ${new Date(part.getTime() + partMs)}::timestamptz`
}

function toTokens({ hashes }: Wanted): RawBuilder<unknown> | undefined {
  const needed = hashes.filter((group) => group.length === 1).flat()
  const choices = hashes.filter((group) => group.length > 1)
  const conditions = [
    ...(needed.length > 0 ? [sql`l.tokens @> ${needed}::integer[]`] : []),
    ...choices.map((group) => sql`l.tokens && ${group}::integer[]`),
  ]
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `)
}

function matches({ from, to, level, requestId, process, terms }: Wanted): RawBuilder<unknown> {
  const conditions = [
    ...(from ? [sql`l.at >= ${from}::timestamptz`] : []),
    ...(to ? [sql`l.at < ${to}::timestamptz`] : []),
    ...(level === undefined ? [] : [sql`l.level >= ${level}::smallint`]),
    ...(requestId === undefined ? [] : [sql`l.request_id = ${requestId}`]),
    ...(process === undefined ? [] : [sql`l.process = ${process}`]),
    ...terms.map(contains),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** A part of the message, of the request id, or of the fields as they stand in JSON. */
function contains(term: string): RawBuilder<unknown> {
  const escaped = JSON.stringify(term).slice(1, -1)
  const inFields = escaped === term ? [term] : [term, escaped]
  return sql`(l.message ilike ${toPattern(term)} or l.fields ilike any (${inFields.map(toPattern)}::text[])
    or l.request_id ilike ${toPattern(term)})`
}

function toPattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** The last id that is stored. Lines stored later have larger ones. */
export async function findLastId(tx: SystemTx): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select coalesce(
      (select max(id) from app.app_logs where at > now() - interval '1 day'),
      (select max(id) from app.app_logs)) as last
  `.execute(tx)
  return rows[0]?.last ?? 0
}

export interface TailRow extends LineRow {
  /** How many lines match in all. */
  readonly count: number
}

/** The last lines with an id in a range, latest first. */
export async function searchIds(
  tx: SystemTx,
  wanted: Wanted,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<TailRow[]> {
  const { rows } = await sql<TailRow>`
    select ${columns}, count(*) over () as count from app.app_logs l
    where l.id > ${after}::bigint and l.id <= ${last}::bigint and l.at > now() - interval '2 days' and ${matches(wanted)}
    order by l.id desc limit ${limit}
  `.execute(tx)
  return rows
}
