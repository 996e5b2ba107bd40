import { RpcError } from './rpc-error.ts'
import { type RpcQuery, rangeError } from './rpc-query.ts'

/** The requested range of the matching rows. */
export interface RpcRange {
  readonly offset: number
  readonly limit: number | undefined
}

const objectType = 'application/vnd.pgrst.object+json'
const arrayTypes = ['application/json', 'application/vnd.pgrst.array+json', 'application/vnd.pgrst.array']
const objectTypes = [objectType, 'application/vnd.pgrst.object']

/**
 * Whether the caller wants a list or a single object.
 *
 * @throws RpcError PGRST107 when the caller accepts neither.
 */
export function chooseShape(accept: string | undefined): 'array' | 'object' {
  const ranges = (accept ?? '*/*').split(',').map(readMediaRange)
  for (const { type } of ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)) {
    if (objectTypes.includes(type)) return 'object'
    if (arrayTypes.includes(type) || type === '*/*' || type === 'application/*' || type === '') return 'array'
  }
  const asked = ranges.map(({ type }) => type).join(', ')
  throw new RpcError(406, 'PGRST107', `None of these media types are available: ${asked.slice(0, 200)}`)
}

function readMediaRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice('q='.length) ?? 1)
  return { type, weight: Number.isNaN(weight) ? 1 : weight }
}

/** The `Content-Type` of an answer in that shape. */
export function contentTypeOf(shape: 'array' | 'object'): string {
  return `${shape === 'object' ? objectType : 'application/json'}; charset=utf-8`
}

/** The requested count method; our counts are always exact. */
export function readWantedCount(prefer: string | undefined): 'exact' | 'planned' | 'estimated' | undefined {
  const wanted = /(?:^|[,\s])count=(exact|planned|estimated)(?=$|[,;\s])/.exec(prefer ?? '')?.[1]
  // The pattern has these three words.
  return wanted as ReturnType<typeof readWantedCount>
}

/**
 * Combines the range of the query with the `Range` header of a read.
 *
 * @throws RpcError PGRST103 for an impossible range.
 */
export function chooseRange(query: Pick<RpcQuery, 'limit' | 'offset'>, range: string | undefined): RpcRange {
  if (query.offset < 0) throw rangeError('Offset should be greater than or equal to zero.')
  const asked = /^(?:items=)?(\d{1,9})-(\d{0,9})$/.exec(range ?? '')
  if (!asked) return query
  const [from, to] = [Number(asked[1]), asked[2] === '' ? undefined : Number(asked[2])]
  if (to !== undefined && to < from) {
    throw rangeError('The lower boundary must be lower than or equal to the upper boundary in the Range header.')
  }
  const ends = [
    to === undefined ? undefined : to + 1,
    query.limit === undefined ? undefined : query.offset + query.limit,
  ]
  const offset = Math.max(from, query.offset)
  const end = Math.min(...ends.filter((each) => each !== undefined))
  if (end < offset) throw rangeError('The requested range contains no rows.')
  return { offset, limit: Number.isFinite(end) ? end - offset : undefined }
}

/**
 * The `Content-Range` of the answer.
 *
 * @param total undefined when it was not requested.
 * @throws RpcError PGRST103 when the first requested row is after the last one.
 */
export function describeRange(
  { offset }: RpcRange,
  returned: number,
  total: number | undefined,
): { status: 200 | 206; contentRange: string } {
  if (total !== undefined && offset > total) {
    throw rangeError(`An offset of ${offset} was requested, but there are only ${total} rows.`)
  }
  const rows = returned === 0 ? '*' : `${offset}-${offset + returned - 1}`
  return {
    status: total !== undefined && returned < total ? 206 : 200,
    contentRange: `${rows}/${total ?? '*'}`,
  }
}
