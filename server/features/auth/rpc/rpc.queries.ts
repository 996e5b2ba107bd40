import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { RpcRange } from './rpc-answer.ts'
import { RpcError } from './rpc-error.ts'
import type { RpcFunction } from './rpc-functions.ts'
import type { ComparisonOperator, Filter, OrderTerm, RpcQuery, Selected } from './rpc-query.ts'

export interface RpcCall {
  readonly fn: RpcFunction
  readonly values: Readonly<Record<string, string | null>>
  readonly query: Pick<RpcQuery, 'select' | 'filters' | 'order'>
  readonly range: RpcRange
}

export interface RpcResult {
  /** JSON text: an array for a function that returns rows. */
  readonly body: string
  readonly returned: number
  /** The count of matching rows without the range. */
  readonly total: number
}

/**
 * Calls the function and has the database write the result as JSON, so that its types look as PostgREST's do. The
 * transaction is read-only from here on, as in PostgREST for every function that is not volatile.
 *
 * @throws RpcError 42703 for a column that the function does not return.
 */
export async function callFunction(tx: TenantTx, call: RpcCall): Promise<RpcResult> {
  const statement = call.fn.returns === 'rows' ? selectRows(call) : selectScalar(call)
  await sql`set transaction read only`.execute(tx)
  const { rows } = await statement.execute(tx)
  if (!rows[0]) throw new Error('the function returned nothing')
  return rows[0]
}

/** Whether the session of the caller's token exists, and its account is neither banned nor deleted. */
export async function isUsableSession(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ is_usable: boolean }>`select app.is_usable_session() as is_usable`.execute(tx)
  return rows[0]?.is_usable ?? false
}

function selectScalar({ fn, values, query }: RpcCall): RawBuilder<RpcResult> {
  for (const { column } of [...query.filters, ...query.order, ...query.select])
    if (column !== '*') refColumn(fn, column)
  return sql`select coalesce(to_json(${callOf(fn, values)}), 'null')::text as body, 1 as returned, 1 as total`
}

function selectRows({ fn, values, query, range }: RpcCall): RawBuilder<RpcResult> {
  const columns = query.select.length === 0 ? sql`r.*` : sql.join(query.select.map((each) => pick(fn, each)))
  const conditions = query.filters.map(
    (filter) => sql`(${test(fn, filter)}) is ${sql.raw(filter.negated ? 'false' : 'true')}`,
  )
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const order =
    query.order.length === 0 ? sql`` : sql`order by ${sql.join(query.order.map((each) => orderBy(fn, each)))}`
  const limit = range.limit === undefined ? sql`` : sql`limit ${range.limit}`
  return sql`
    with matching as materialized (select * from ${callOf(fn, values)} r ${where}),
         page as (select ${columns} from matching r ${order} ${limit} offset ${range.offset})
    select coalesce(json_agg(to_json(page)), '[]')::text as body,
           count(*)::int as returned,
           (select count(*) from matching)::int as total
    from page`
}

function callOf({ name, parameters }: RpcFunction, values: RpcCall['values']): RawBuilder<unknown> {
  return sql`${sql.id('public', name)}(${sql.join(
    parameters.map((parameter) => sql`${sql.id(parameter)} => ${values[parameter] ?? null}::uuid`),
  )})`
}

/** A column in SQL. The name comes from our own list; the caller's is only compared with it. */
function refColumn({ name, columns }: RpcFunction, column: string): RawBuilder<unknown> {
  const known = columns.find((each) => each === column)
  if (known === undefined) {
    throw new RpcError(400, '42703', `column ${name}.${column.slice(0, 63)} does not exist`)
  }
  return sql.id('r', known)
}

function pick(fn: RpcFunction, { column, alias, cast }: Selected): RawBuilder<unknown> {
  if (column === '*') return sql`r.*`
  const value = cast === undefined ? refColumn(fn, column) : sql`${refColumn(fn, column)}::${sql.raw(cast)}`
  return sql`${value} as ${sql.id(alias ?? column)}`
}

const operators: Readonly<Record<ComparisonOperator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
}

function test(fn: RpcFunction, { column, test: { operator, ...operand } }: Filter): RawBuilder<unknown> {
  const ref = refColumn(fn, column)
  if (operator === 'is' && 'value' in operand) {
    return sql`${ref} is ${sql.raw(operand.value === 'not_null' ? 'not null' : operand.value)}`
  }
  if (operator === 'in' && 'values' in operand) return sql`${ref} = any(${operand.values})`
  const value = 'value' in operand ? operand.value : ''
  const isPattern = operator === 'like' || operator === 'ilike'
  // In a URL `*` replaces `%`, which would need escaping.
  return sql`${ref} ${sql.raw(operators[operator as ComparisonOperator])} ${isPattern ? value.replaceAll('*', '%') : value}`
}

function orderBy(fn: RpcFunction, { column, descending, nulls }: OrderTerm): RawBuilder<unknown> {
  return sql`${refColumn(fn, column)} ${sql.raw(descending ? 'desc' : 'asc')}${sql.raw(nulls ? ` nulls ${nulls}` : '')}`
}
