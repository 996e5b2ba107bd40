import type { TSchema } from 'typebox'

/** One hostile way to fill a field. */
export interface Hostile {
  readonly name: string
  /** The body or query, as it is sent. */
  readonly text: string
  /** What an answer that names a field must name, or begin with. */
  readonly field: string
  /** At a limit, or text that is cleaned: storing it is as good as refusing it. */
  readonly mayPass: boolean
}

interface Schema {
  type?: string
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  format?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  maxItems?: number
  additionalProperties?: unknown
  patternProperties?: unknown
}

const megabyte = 1024 * 1024
const oddText = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066',
  '\ufeff',
  '\u0007',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  "'; drop table feedback; --",
  '{{7*7}}',
  '%00',
  'Ǆ\u0301'.repeat(20),
]
// Placed into the text of the body, since JavaScript could not hold some of them.
const rawNumbers = ['-0', '1e400', '-1e400', '1.5', '99999999999999999999']

/**
 * Every field of a body's schema: left out, of every other type, at its limits and one beyond, with odd text; and
 * every object with keys that it does not have.
 */
export function listHostileBodies(schema: TSchema, valid: () => Record<string, unknown>): (() => Hostile)[] {
  return walk(schema as Schema, []).map(({ path, what, value, raw, mayPass }) => () => {
    const body = structuredClone(valid())
    const holder = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, body)
    const last = path.at(-1)
    let text: string
    if (last === undefined) text = JSON.stringify(typeof value === 'function' ? value(body) : value)
    else {
      if (value === absent) delete holder[last]
      else holder[last] = raw === undefined ? value : 'RAW'
      text = JSON.stringify(body)
      if (raw !== undefined) text = text.replace('"RAW"', raw)
    }
    return { name: `${path.join('.') || '(root)'} ${what}`, text, field: ['body', ...path].join('.'), mayPass }
  })
}

const absent = Symbol('absent')

interface Case {
  path: string[]
  what: string
  value?: unknown
  raw?: string
  mayPass: boolean
}

function walk(schema: Schema, path: string[]): Case[] {
  const cases: Case[] = otherTypes(schema).map(([what, value]) => ({ path, what, value, mayPass: false }))
  // What may also be null is, apart from that, what it is.
  const others = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (others?.[0] && others.length === 1) return [...cases, ...walkValue(others[0], path)]
  return [...cases, ...walkValue(schema, path)]
}

function walkValue(schema: Schema, path: string[]): Case[] {
  const cases: Case[] = []
  const isText = schema.type === 'string' || (schema.enum?.every((each) => typeof each === 'string') ?? false)
  if (isText && path.length > 0) cases.push(...walkText(schema, path))
  if (schema.type === 'integer') cases.push(...walkNumber(schema, path))
  if (schema.type === 'object') cases.push(...walkObject(schema, path))
  return cases
}

function walkText(schema: Schema, path: string[]): Case[] {
  const isFree = schema.format === undefined && schema.enum === undefined
  const mayClean = isFree || schema.format === 'lines' || schema.format === 'line' || schema.format === 'http-url'
  const cases: Case[] = oddText.map((value) => ({
    path,
    what: `is ${JSON.stringify(value)}`,
    value,
    mayPass: mayClean,
  }))
  cases.push({ path, what: 'is 1 MB', value: 'x'.repeat(megabyte - 4096), mayPass: false })
  if (schema.minLength !== undefined && schema.minLength > 0)
    cases.push({ path, what: 'is empty', value: '', mayPass: false })
  if (schema.maxLength !== undefined) {
    cases.push({ path, what: `has ${schema.maxLength} characters`, value: 'x'.repeat(schema.maxLength), mayPass: true })
    cases.push({
      path,
      what: `has ${schema.maxLength + 1} characters`,
      value: 'x'.repeat(schema.maxLength + 1),
      mayPass: false,
    })
    cases.push({ path, what: `has ${schema.maxLength} emoji`, value: '😀'.repeat(schema.maxLength), mayPass: true })
  }
  return cases
}

function walkNumber(schema: Schema, path: string[]): Case[] {
  // Minus zero is zero.
  const mayPass = (raw: string) => raw === '-0' && (schema.minimum ?? 0) <= 0
  const cases: Case[] = rawNumbers.map((raw) => ({ path, what: `is ${raw}`, raw, mayPass: mayPass(raw) }))
  for (const [limit, beyond] of [
    [schema.minimum, -1],
    [schema.maximum, 1],
  ] as const) {
    if (limit === undefined) continue
    // At its limit a version, say, may be refused for another reason, so only the one beyond must be.
    cases.push({ path, what: `is ${limit}`, value: limit, mayPass: true })
    cases.push({ path, what: `is ${limit + beyond}`, value: limit + beyond, mayPass: false })
  }
  return cases
}

function walkObject(schema: Schema, path: string[]): Case[] {
  const isOpen = schema.properties === undefined
  const add = (key: string, inner: unknown) => (holder: object) => ({ ...holder, [key]: inner })
  const cases: Case[] = []
  if (path.length === 0) cases.push({ path, what: 'has an unknown key', value: add('unknownKey', 1), mayPass: false })
  for (const raw of ['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}']) {
    if (path.length > 0) cases.push({ path, what: `is ${raw}`, raw, mayPass: false })
  }
  if (isOpen) {
    cases.push({ path, what: 'nests 1,000 deep', raw: `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, mayPass: false })
    cases.push({
      path,
      what: 'nests 50,000 deep',
      raw: `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      mayPass: false,
    })
    cases.push({
      path,
      what: 'has 101 keys',
      value: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, i])),
      mayPass: false,
    })
    cases.push({ path, what: 'is larger than 64 kB', value: { a: 'x'.repeat(66_000) }, mayPass: false })
    cases.push({
      path,
      what: 'holds what jsonb can not',
      raw: '{"a\\u0000":"\\ud800\\u0000","n":1e400}',
      mayPass: true,
    })
  }
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(key))
      cases.push({ path: [...path, key], what: 'is left out', value: absent, mayPass: false })
    cases.push(...walk(inner, [...path, key]))
  }
  return cases
}

function otherTypes(schema: Schema): [string, unknown][] {
  const values: [string, string, unknown][] = [
    ['null', 'is null', null],
    ['boolean', 'is false', false],
    ['integer', 'is 7', 7],
    ['string', 'is "7"', '7'],
    ['array', 'is a list', []],
    ['array', 'is a list of itself', [[]]],
    ['object', 'is an object', {}],
  ]
  const types = (schema.anyOf ?? [schema]).map(typeOf)
  return values.filter(([type]) => !types.includes(type)).map(([, what, value]) => [what, value])
}

function typeOf({ type, enum: values, const: only }: Schema): string {
  if (type !== undefined) return type
  const example = values?.[0] ?? only
  return typeof example === 'number' ? 'integer' : typeof (example ?? '')
}

/** Every parameter of a query: odd text, beyond its limits, several times, and parameters that are none. */
export function listHostileQueries(schema: TSchema): Hostile[] {
  const { properties = {} } = schema as Schema
  const unknown: Hostile[] = ['unknown=1', '__proto__=1', '__proto__[a]=1', 'constructor=1', 'toString=1', '=1'].map(
    (text) => ({
      name: `?${text}`,
      text,
      field: 'query',
      mayPass: text === '=1',
    }),
  )
  return Object.entries(properties)
    .flatMap(([name, property]) => listHostileValues(name, property))
    .concat(unknown)
}

function listHostileValues(name: string, property: Schema): Hostile[] {
  const single = property.items ?? property
  const isText = single.format === 'line' || single.format === 'lines'
  const values = [
    ...oddText.map((value) => encodeURIComponent(value.toWellFormed())),
    '',
    '%',
    '%ff%fe',
    'x'.repeat(9_000),
    '-1',
    '0',
    '1e3',
    '999999999999',
    'null',
    'true',
    '[]',
  ]
  const hostile = values.map((value) => ({
    name: `?${name}=${value.slice(0, 40)}`,
    text: `${name}=${value}`,
    field: `query.${name}`,
    mayPass:
      isText ||
      (single.pattern !== undefined && !value.includes('%') && new RegExp(single.pattern, 'u').test(value)) ||
      (single.type === 'boolean' && value === 'true') ||
      (value === '1e3' && (single.maximum ?? 0) >= 1000),
  }))
  const repeated = Array.from(
    { length: 21 },
    () => `${name}=${encodeURIComponent(String(single.enum?.[0] ?? '7'))}`,
  ).join('&')
  return [...hostile, { name: `?${name} 21 times`, text: repeated, field: `query.${name}`, mayPass: false }]
}

/** Bodies that are wrong as a whole. */
export const rawBodies: {
  name: string
  body: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  statuses: number[]
}[] = [
  { name: 'empty', body: '', statuses: [400] },
  { name: 'no JSON', body: 'hello', statuses: [400] },
  { name: 'cut off', body: '{"id":"', statuses: [400] },
  { name: 'two values', body: '{}{}', statuses: [400] },
  { name: 'not UTF-8', body: Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), statuses: [400] },
  { name: 'UTF-16', body: new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), statuses: [400] },
  { name: 'a byte order mark alone', body: Uint8Array.from([0xef, 0xbb, 0xbf]), statuses: [400] },
  { name: '100,000 deep', body: `${'['.repeat(100_000)}${']'.repeat(100_000)}`, statuses: [400] },
  { name: '100,000 deep and never closed', body: '{"a":'.repeat(50_000), statuses: [400, 413] },
  { name: 'polluting at the root', body: '{"__proto__":{"polluted":1}}', statuses: [400] },
  { name: 'polluting with an escaped key', body: '{"\\u005f_proto__":{"polluted":1}}', statuses: [400] },
  { name: '2 MB', body: JSON.stringify({ blob: 'x'.repeat(2 * megabyte) }), statuses: [413] },
  { name: 'as a form', body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' }, statuses: [415] },
  { name: 'as text', body: '{}', headers: { 'content-type': 'text/plain' }, statuses: [415] },
  { name: 'as XML', body: '<a/>', headers: { 'content-type': 'application/xml' }, statuses: [415] },
  { name: 'as nonsense', body: '{}', headers: { 'content-type': ';;;' }, statuses: [400, 415] },
  { name: 'said to be compressed', body: '{}', headers: { 'content-encoding': 'gzip' }, statuses: [400, 415] },
]
