import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { ProblemField } from '#contract/errors.ts'
import { ProductError } from './product-error.ts'

// Text that PostgreSQL and everything after it can hold: no control characters, no half of a surrogate pair.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlInLine = /[\u0000-\u001F\u007F\u2028\u2029]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlInLines = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/

const formats = {
  lines: (value: string) => value.isWellFormed() && !controlInLines.test(value),
  line: (value: string) => value.isWellFormed() && !controlInLine.test(value),
  'http-url': isHttpUrl,
  email: isEmail,
}

/** Formats of our own. */
export const formatNames = Object.keys(formats)

const messages: Record<string, string> = {
  lines: 'must be text without control characters',
  line: 'must be one line without control characters',
  'http-url': 'must be an http or https address',
  email: 'must be an email address',
  uuid: 'must be a UUID',
  'date-time': 'must be a time in ISO 8601, from the year 0001 on',
}

function isHttpUrl(value: string): boolean {
  if (!value.isWellFormed() || controlInLine.test(value) || !URL.canParse(value)) return false
  const { protocol } = new URL(value)
  return protocol === 'http:' || protocol === 'https:'
}

// `get` is typed for every kind of format; this is an object with a function.
const ajvTime = addFormats.default.get('date-time') as { validate: (value: string) => boolean }

/** A time that PostgreSQL has too: its calendar goes from 1 BC to AD 1, without a year 0. */
function isTime(value: string): boolean {
  return ajvTime.validate(value) && !value.startsWith('0000')
}

/** An address as people write it: one @, no space, no dots at the wrong places, a dot in the domain. */
function isEmail(value: string): boolean {
  if (value.length > 254 || !value.isWellFormed() || controlInLine.test(value) || /[\s<>"(),;:\\[\]]/.test(value))
    return false
  // Mail programs decode such text (RFC 2047): the address would be another one.
  if (value.includes('=?')) return false
  const parts = value.split('@')
  if (parts.length !== 2 || value.includes('..')) return false
  const [local = '', domain = ''] = parts
  const hasEdgeDot = (part: string) => part.startsWith('.') || part.endsWith('.')
  return local !== '' && !hasEdgeDot(local) && domain.includes('.') && !hasEdgeDot(domain)
}

function createAjv(coerceTypes: false | 'array'): Ajv {
  // Unknown properties are refused where the schema says so, never dropped: a misspelt field must not pass in silence.
  const ajv = new Ajv({ coerceTypes, removeAdditional: false, useDefaults: false, allErrors: false, strict: false })
  addFormats.default(ajv, ['uuid', 'date-time'])
  ajv.addFormat('date-time', { type: 'string', validate: isTime })
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate })
  return ajv
}

// A body says its types itself; addresses are text, and `status=new` is a list of one.
const bodyAjv = createAjv(false)
const addressAjv = createAjv('array')

const partNames: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' }

/**
 * Compiles a contract's schema when it is first needed: compiling those of all routes took a third of the start. What does
 * not fit becomes `validation_failed` with the field named.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  let compiled: ValidateFunction | undefined
  return (value: unknown) => {
    compiled ??= (httpPart === 'body' ? bodyAjv : addressAjv).compile(schema)
    const validate = compiled
    if (validate(value)) return { value }
    const fields = dropAlternatives(validate.errors ?? []).map((error) =>
      toField(error, partNames[httpPart] ?? httpPart),
    )
    return { error: new ProductError('validation_failed', { fields }) }
  }
}

/** Of a value that may be one thing or another: what is wrong with it as what it is, not that it isn't the other. */
function dropAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const told = errors.filter(({ keyword }) => keyword !== 'anyOf')
  if (told.length === errors.length) return errors
  const better = told.filter(({ keyword }) => keyword !== 'type' && keyword !== 'const')
  return better.length > 0 ? better : told.slice(0, 1)
}

function toField(error: ErrorObject, part: string): ProblemField {
  const segments = error.instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  // Ajv's parameters depend on the keyword; these belong to several.
  const named = error.params as { additionalProperty?: string; missingProperty?: string; propertyName?: string }
  const property = named.missingProperty ?? named.additionalProperty ?? named.propertyName
  if (property !== undefined) segments.push(property)
  return { path: clip([part, ...segments].join('.')), message: describeProblem(error) }
}

// Names come from the caller: messages repeat them up to a length.
function clip(path: string): string {
  const safe = path.toWellFormed().replaceAll(/\p{Cc}/gu, '�')
  return safe.length > 200 ? `${safe.slice(0, 200)}…` : safe
}

const typeNames: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function limitOf(error: ErrorObject): number {
  // Ajv's parameters of keywords with a limit.
  return (error.params as { limit: number }).limit
}

function describeProblem(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field'
    case 'format':
      // Ajv's parameters of `format`.
      return messages[(error.params as { format: string }).format] ?? 'has the wrong format'
    case 'enum':
      // Ajv's parameters of `enum`.
      return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.join(', ')}`
    case 'pattern':
      return 'has the wrong format'
    case 'minProperties':
      return 'must hold at least one field'
    case 'minLength':
      return limitOf(error) === 1 ? 'must not be empty' : `must have at least ${limitOf(error)} characters`
    case 'maxLength':
      return `must have at most ${limitOf(error)} characters`
    case 'minItems':
      return `must hold at least ${limitOf(error)}`
    case 'maxItems':
    case 'maxProperties':
      return `must hold at most ${limitOf(error)}`
    case 'minimum':
      return `must be at least ${limitOf(error)}`
    case 'maximum':
      return `must be at most ${limitOf(error)}`
    case 'type':
      // Ajv's parameters of `type`.
      return `must be ${typeNames[String((error.params as { type: unknown }).type)] ?? 'of another type'}`
    default:
      return error.message ?? 'is not valid'
  }
}
