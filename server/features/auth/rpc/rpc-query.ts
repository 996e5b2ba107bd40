import { RpcError } from './rpc-error.ts'

/** The query of a function call in PostgREST's notation. Its column names are not yet checked. */
export interface RpcQuery {
  /** The other parameters: a GET's arguments. */
  readonly arguments: Readonly<Record<string, string>>
  readonly select: readonly Selected[]
  readonly filters: readonly Filter[]
  readonly order: readonly OrderTerm[]
  readonly limit: number | undefined
  readonly offset: number
}

export interface Selected {
  /** `*` for every column. */
  readonly column: string
  readonly alias: string | undefined
  readonly cast: Cast | undefined
}

export interface Filter {
  readonly column: string
  readonly negated: boolean
  readonly test:
    | { readonly operator: ComparisonOperator; readonly value: string }
    | { readonly operator: 'in'; readonly values: readonly string[] }
    | { readonly operator: 'is'; readonly value: Truth }
}

export interface OrderTerm {
  readonly column: string
  readonly descending: boolean
  readonly nulls: 'first' | 'last' | undefined
}

/** Types that a column may be cast to; their names are SQL. */
const casts = ['text', 'varchar', 'uuid', 'timestamptz', 'timestamp', 'date', 'json', 'jsonb'] as const
export type Cast = (typeof casts)[number]

const comparisonOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

const truths = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type Truth = (typeof truths)[number]

const maxTerms = 50
const maxNameLength = 63

/**
 * Reads the query of a URL.
 *
 * @param hasArguments whether it also contains the function's arguments (GET); then every non-filter is one of them.
 * @throws RpcError PGRST100 for invalid syntax, PGRST103 for a limit below zero.
 */
export function readRpcQuery(query: Readonly<Record<string, unknown>>, hasArguments: boolean): RpcQuery {
  const { apikey: _apikey, select, order, limit, offset, columns: _columns, ...others } = query
  const filters: Filter[] = []
  const values: [string, string][] = []
  for (const [name, value] of Object.entries(others)) {
    for (const text of [value].flat().map(String)) {
      checkText(name + text)
      const filter = readFilter(name, text)
      if (filter) filters.push(filter)
      else if (hasArguments) values.push([name, text])
      else throw syntaxError('filter', text, 'unexpected end of input expecting "not" or operator (eq, gt, ...)')
    }
  }
  if (filters.length > maxTerms) throw syntaxError('filter', String(filters.length), `at most ${maxTerms} filters`)
  return {
    arguments: Object.fromEntries(values),
    select: split(first(select)).map(readSelected),
    filters,
    order: split(first(order)).map(readOrderTerm),
    limit: readLimit(first(limit)),
    offset: readWhole(first(offset)) ?? 0,
  }
}

function first(value: unknown): string {
  const text = [value].flat()[0]
  if (typeof text !== 'string') return ''
  checkText(text)
  return text
}

function split(list: string): string[] {
  const parts = list.trim() === '' ? [] : list.split(',').map((part) => part.trim())
  if (parts.length > maxTerms) throw syntaxError('select parameter', list, `at most ${maxTerms} terms`)
  return parts
}

function readSelected(term: string): Selected {
  if (/^(?:[\w ]+\.)?(?:count|sum|avg|min|max)\(\)/.test(term)) {
    throw new RpcError(400, 'PGRST123', 'Use of aggregate functions is not allowed')
  }
  if (/^[\w ]+(?:![\w ]+)?\(/.test(term)) {
    throw new RpcError(400, 'PGRST200', 'Could not find a relationship in the schema cache', {
      details: 'The rows of a function have no relationships here.',
    })
  }
  const parts = /^(?:([\w -]{1,63}):(?!:))?(\*|[\w $]{1,63})(?:::(\w{1,63}))?$/.exec(term)
  const [, alias, column, cast] = parts ?? []
  if (column === undefined) throw syntaxError('select parameter', term, 'unexpected characters in a column')
  const known = casts.find((name) => name === cast)
  if (cast !== undefined && !known) throw new RpcError(400, '42704', `type "${cast}" does not exist`)
  return { alias, column, cast: known }
}

/** @returns undefined for a value that begins with no operator. */
function readFilter(column: string, text: string): Filter | undefined {
  const negated = text.startsWith('not.')
  const expression = negated ? text.slice('not.'.length) : text
  const dot = expression.indexOf('.')
  const operator = expression.slice(0, Math.max(dot, 0))
  const value = expression.slice(dot + 1)
  const comparison = comparisonOperators.find((name) => name === operator)
  if (comparison) return { column, negated, test: { operator: comparison, value } }
  if (operator === 'is') {
    const truth = truths.find((name) => name === value.toLowerCase())
    if (!truth) throw syntaxError('filter', text, 'expecting null, not_null, true, false or unknown')
    return { column, negated, test: { operator, value: truth } }
  }
  if (operator === 'in') return { column, negated, test: { operator, values: readList(value, text) } }
  if (negated) throw syntaxError('filter', text, 'expecting operator (eq, gt, ...)')
  return undefined
}

/** The values of `(a,"b,c")`. */
function readList(list: string, filter: string): string[] {
  const inner = /^\((.*)\)$/s.exec(list)?.[1]
  if (inner === undefined) throw syntaxError('filter', filter, 'expecting "(" and ")"')
  if (inner === '') return []
  const values: string[] = []
  const item = /(?:"((?:[^"\\]|\\.)*)"|([^",()]*))(,|$)/sy
  for (;;) {
    const found = item.exec(inner)
    if (!found) throw syntaxError('filter', filter, 'unexpected characters in a list')
    values.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll(/\\(.)/gs, '$1'))
    if (found[3] === '') return values
  }
}

function readOrderTerm(term: string): OrderTerm {
  const [column = '', ...modifiers] = term.split('.')
  const [direction, nulls] = /^(asc|desc)$/.test(modifiers[0] ?? '') ? modifiers : [undefined, ...modifiers]
  const isWhole = column !== '' && column.length <= maxNameLength && modifiers.length <= (direction ? 2 : 1)
  if (!isWhole || (nulls !== undefined && nulls !== 'nullsfirst' && nulls !== 'nullslast')) {
    throw syntaxError('order', term, 'expecting "asc", "desc", "nullsfirst" or "nullslast"')
  }
  return {
    column,
    descending: direction === 'desc',
    nulls: nulls === undefined ? nulls : nulls === 'nullsfirst' ? 'first' : 'last',
  }
}

function readLimit(text: string): number | undefined {
  const limit = readWhole(text)
  if (limit !== undefined && limit < 0) throw rangeError('Limit should be greater than or equal to zero.')
  return limit
}

/** A non-number is ignored. */
function readWhole(text: string): number | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined
  const number = Number(text)
  return number < 0 ? number : Math.min(number, 2_147_483_647)
}

/** PGRST103: the requested range is impossible. */
export function rangeError(details: string): RpcError {
  return new RpcError(416, 'PGRST103', 'Requested range not satisfiable', { details })
}

function syntaxError(what: string, text: string, details: string): RpcError {
  return new RpcError(400, 'PGRST100', `"failed to parse ${what} (${text.slice(0, 100)})" (line 1, column 1)`, {
    details,
  })
}

function checkText(text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return
  throw new RpcError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00')
}
