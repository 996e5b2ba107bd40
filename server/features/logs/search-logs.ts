import type { LogFilters, LogLine, LogPage } from '#contract/superadmin-logs.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { type LevelName, levelNumbers } from '#server/platform/log/waiting-lines.ts'
import { limitStatements, tookTooLong } from './limit-statements.queries.ts'
import { type Place, readPlace, writePlace } from './place.ts'
import {
  type Block,
  findLastId,
  type LineRow,
  linesOfBlock,
  listBlocks,
  type Stretch,
  searchRequest,
  searchStretches,
  type Wanted,
} from './search.queries.ts'
import { findHashes, splitSearch } from './search-terms.ts'
import { levelToken, processToken } from './tokens.ts'

export const searchReason = 'superadmins search the log of the instance'
const pageSize = 100
/** A search that has taken longer answers with what it has, and where it stopped. */
const budgetMs = 80
/** No step takes this long unless the database is stuck or a line's text is hostile to a filter. */
const longestStatementMs = 3_000
/** Steps grow until one takes this long. */
const stepMs = 15
const linesOfStretch = 1_024
const firstStretches = 2
const mostStretches = 96

export interface LogQuery extends LogFilters {
  readonly before?: string
  readonly after?: string
  readonly limit?: number
}

/** @throws ProductError `validation_failed`. */
export function searchLogs(database: Database, query: LogQuery): Promise<LogPage> {
  const { before: beforeText, after: afterText, limit = pageSize } = query
  if (beforeText !== undefined && afterText !== undefined) throw invalid('query.after', 'cannot be given with before')
  const before = beforeText === undefined ? undefined : readPlace(beforeText, 'query.before')
  const after = afterText === undefined ? undefined : readPlace(afterText, 'query.after')
  checkTimes(query, 'query')
  const page = database.asSystem(searchReason, async (tx) => {
    await limitStatements(tx, longestStatementMs)
    const tail = String(await findLastId(tx))
    const wanted = await prepareSearch(tx, query)
    const { rows, stoppedAt } = await visit(tx, wanted, { before, after, limit, withinMs: budgetMs })
    return { ...describePage(rows, { before, after, limit, stoppedAt }), tail }
  })
  return page.catch((error: unknown) => {
    if (!tookTooLong(error)) throw error
    throw invalid('query.search', 'took too long. Add a time range, a level or a rarer word')
  })
}

/** All matching lines, latest first, in pages that are read when they are asked for. */
export async function* readAllLogs(database: Database, filters: LogFilters, most: number): AsyncGenerator<LogLine> {
  let before: Place | undefined
  let count = 0
  do {
    const { rows, stoppedAt } = await database.asSystem(searchReason, async (tx) =>
      visit(tx, await prepareSearch(tx, filters), { before, after: undefined, limit: 1_000, withinMs: 2_000 }),
    )
    for (const row of rows) {
      yield toLine(row)
      count += 1
      if (count >= most) return
    }
    before = rows.length === 1_000 ? rows.at(-1) : stoppedAt && toEdge(stoppedAt, false)
  } while (before)
}

/** The format admits days that no calendar has. @throws ProductError `validation_failed`. */
export function checkTimes({ from, to }: LogFilters, place: 'query' | 'body'): void {
  for (const [name, time] of Object.entries({ from, to })) {
    if (time !== undefined && Number.isNaN(Date.parse(time)))
      throw invalid(`${place}.${name}`, 'must be a time that exists')
  }
}

/** What lines must be, with what the index can say about it. */
export async function prepareSearch(tx: SystemTx, filters: LogFilters): Promise<Wanted> {
  const { from, to, level, search = '', requestId, process } = filters
  const terms = splitSearch(search)
  const number = level === undefined ? undefined : levelNumbers[level]
  const hashes = await findHashes(tx, terms)
  if (number !== undefined && number > levelNumbers.trace) hashes.push([levelToken(number)])
  if (process !== undefined) hashes.push([processToken(process)])
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    ...{ level: number, terms, requestId, process, hashes },
  }
}

interface Visit {
  readonly before: Place | undefined
  readonly after: Place | undefined
  readonly limit: number
  readonly withinMs: number
}

/** @returns `stoppedAt`: the last lines that were read, when more are left for another call. */
async function visit(
  tx: SystemTx,
  wanted: Wanted,
  { before, after, limit, withinMs }: Visit,
): Promise<{ rows: LineRow[]; stoppedAt: Stretch | undefined }> {
  const startedAtMs = performance.now()
  const blocks = await listBlocks(tx, wanted, { before, after })
  const rows: LineRow[] = []
  const isUpwards = after !== undefined
  const isRequest = wanted.requestId !== undefined
  const stretches = isRequest ? toParts(blocks) : blocks.flatMap((block) => divide(block, isUpwards))
  let size = firstStretches
  for (let index = 0; index < stretches.length; ) {
    const step = takeStep(stretches, index, isRequest ? 1 : size)
    // A step has at least one stretch.
    const { part } = step[0] as Stretch
    const rest = { part, before, after, limit: limit - rows.length }
    const stepStartedAtMs = performance.now()
    const found = isRequest
      ? await searchRequest(tx, wanted, rest)
      : await searchStretches(tx, wanted, { ...rest, stretches: joinStretches(step) })
    rows.push(...found)
    index += step.length
    if (rows.length >= limit) break
    const now = performance.now()
    if (now - startedAtMs > withinMs && index < stretches.length) return { rows, stoppedAt: step.at(-1) }
    size = now - stepStartedAtMs > stepMs ? Math.max(1, size >> 1) : Math.min(mostStretches, size * 2)
  }
  return { rows, stoppedAt: undefined }
}

/** A block in pieces, so that a step can be short where lines are long. */
function divide({ part, block, fromAt }: Block, isUpwards: boolean): Stretch[] {
  const pieces = Array.from({ length: linesOfBlock / linesOfStretch }, (_, index) => {
    const firstId = block * linesOfBlock + index * linesOfStretch
    return { part, block, fromAt, firstId, lastId: firstId + linesOfStretch - 1 }
  })
  return isUpwards ? pieces : pieces.reverse()
}

/** One stretch for each part: an index has the lines of a request in it. */
function toParts(blocks: readonly Block[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const block of blocks) {
    const firstId = block.block * linesOfBlock
    const stretch = { ...block, firstId, lastId: firstId + linesOfBlock - 1 }
    if (stretches.at(-1)?.part.getTime() === block.part.getTime()) stretches[stretches.length - 1] = stretch
    else stretches.push(stretch)
  }
  return stretches
}

/** Up to so many stretches of one part. */
function takeStep(stretches: readonly Stretch[], index: number, size: number): Stretch[] {
  const part = stretches[index]?.part.getTime()
  const wished = stretches.slice(index, index + size)
  const end = wished.findIndex((each) => each.part.getTime() !== part)
  return end < 0 ? wished : wished.slice(0, end)
}

/** Stretches of the same block as one, so that each block is looked up once. */
function joinStretches(step: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const stretch of step) {
    const last = joined.at(-1)
    if (last?.block !== stretch.block) joined.push(stretch)
    else {
      const [firstId, lastId] = [Math.min(last.firstId, stretch.firstId), Math.max(last.lastId, stretch.lastId)]
      joined[joined.length - 1] = { ...last, firstId, lastId }
    }
  }
  return joined
}

/** The place behind the last line of a stretch, in the direction of the search. */
function toEdge({ part, firstId, lastId }: Stretch, isUpwards: boolean): Place {
  return { part, id: isUpwards ? lastId : firstId }
}

function describePage(
  rows: readonly LineRow[],
  { before, after, limit, stoppedAt }: Omit<Visit, 'withinMs'> & { stoppedAt: Stretch | undefined },
): Omit<LogPage, 'tail'> {
  const isUpwards = after !== undefined
  const hasMore = rows.length >= limit
  const last = rows.at(-1)
  const end = hasMore && last ? last : stoppedAt && toEdge(stoppedAt, isUpwards)
  const first = rows[0]
  const ends = isUpwards
    ? { older: { ...after, id: after.id + 1 }, newer: end }
    : { older: end, newer: first ?? (before && { ...before, id: before.id - 1 }) }
  return {
    items: (isUpwards ? rows.toReversed() : rows).map(toLine),
    olderThan: ends.older ? writePlace(ends.older) : null,
    newerThan: ends.newer ? writePlace(ends.newer) : null,
    searchedTo: stoppedAt?.fromAt.toISOString() ?? null,
  }
}

const nameOfNumber = new Map<number, LevelName>(
  // The entries of the table have its keys.
  Object.entries(levelNumbers).map(([name, number]) => [number, name as LevelName]),
)

export function toLine({ id, part, at, level, process, requestId, message, fields }: LineRow): LogLine {
  return {
    id: writePlace({ part, id }),
    at: at.toISOString(),
    level: nameOfNumber.get(level) ?? 'info',
    process,
    requestId,
    message,
    // Written by JSON.stringify of an object.
    fields: JSON.parse(fields) as Record<string, unknown>,
  }
}
