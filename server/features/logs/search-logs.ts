import type { LogFilters, LogLine, LogPage } from '#contract/superadmin-logs.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { type LevelName, levelNumbers } from '#server/platform/log/waiting-lines.ts'
import { type Place, readPlace, writePlace } from './place.ts'
import {
  type Block,
  findLastId,
  type LineRow,
  linesOfBlock,
  listBlocks,
  searchBlocks,
  searchRequest,
  type Wanted,
} from './search.queries.ts'
import { findHashes, splitSearch } from './search-terms.ts'
import { levelToken, processToken } from './tokens.ts'

export const searchReason = 'superadmins search the log of the instance'
const pageSize = 100
/** A search that has taken longer answers with what it has, and where it stopped. */
const budgetMs = 120
/** Steps grow until one takes this long. */
const stepMs = 15
const mostBlocks = 32

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
  return database.asSystem(searchReason, async (tx) => {
    const tail = String(await findLastId(tx))
    const wanted = await prepareSearch(tx, query)
    const { rows, stoppedAt } = await visit(tx, wanted, { before, after, limit, withinMs: budgetMs })
    return { ...describePage(rows, { before, after, limit, stoppedAt }), tail }
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

/** @returns `stoppedAt`: the last block that was read, when more are left for another call. */
async function visit(
  tx: SystemTx,
  wanted: Wanted,
  { before, after, limit, withinMs }: Visit,
): Promise<{ rows: LineRow[]; stoppedAt: Block | undefined }> {
  const startedAtMs = performance.now()
  const blocks = await listBlocks(tx, wanted, { before, after })
  const rows: LineRow[] = []
  let size = 1
  for (let index = 0; index < blocks.length; ) {
    const { part } = blocks[index] as Block
    const isRequest = wanted.requestId !== undefined
    const step = takeStep(blocks, index, isRequest ? Number.POSITIVE_INFINITY : size)
    const stepStartedAtMs = performance.now()
    const rest = { part, before, after, limit: limit - rows.length }
    const found = isRequest
      ? await searchRequest(tx, wanted, rest)
      : await searchBlocks(tx, wanted, { ...rest, blocks: step.map(({ block }) => block) })
    rows.push(...found)
    index += step.length
    if (rows.length >= limit) break
    const now = performance.now()
    if (now - startedAtMs > withinMs && index < blocks.length) return { rows, stoppedAt: blocks[index - 1] }
    size = now - stepStartedAtMs > stepMs ? Math.max(1, size >> 1) : Math.min(mostBlocks, size * 2)
  }
  return { rows, stoppedAt: undefined }
}

/** Up to so many blocks of one part. */
function takeStep(blocks: readonly Block[], index: number, size: number): Block[] {
  const part = blocks[index]?.part.getTime()
  const step: Block[] = []
  for (const block of blocks.slice(index, index + Math.min(size, blocks.length))) {
    if (block.part.getTime() !== part) break
    step.push(block)
  }
  return step
}

/** The place behind the last line of a block, in the direction of the search. */
function toEdge({ part, block }: Block, isUpwards: boolean): Place {
  return { part, id: isUpwards ? (block + 1) * linesOfBlock - 1 : block * linesOfBlock }
}

function describePage(
  rows: readonly LineRow[],
  { before, after, limit, stoppedAt }: Omit<Visit, 'withinMs'> & { stoppedAt: Block | undefined },
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
