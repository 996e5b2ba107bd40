import type { TSchema } from 'typebox'
import { uuidPattern } from '#contract/uuid.ts'

interface Schema {
  type?: string
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** A place for an id in a body or a query. */
interface IdField {
  /** Keys from the outside to the inside; `0` is the first of a list. */
  readonly path: readonly string[]
}

/** Every id that a schema takes, except the id of what the call itself makes. */
export function listIdFields(schema: TSchema | undefined): IdField[] {
  return walk((schema ?? {}) as Schema, []).filter(({ path }) => path.join() !== 'id')
}

function walk(schema: Schema, path: readonly string[]): IdField[] {
  if (schema.format === 'uuid') return [{ path }]
  return [
    ...(schema.anyOf ?? []).flatMap((each) => walk(each, path)),
    ...(schema.items ? walk(schema.items, [...path, '0']) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => walk(inner, [...path, key])),
  ]
}

/** A copy of a body with an id in that place. */
export function placeId(body: unknown, { path }: IdField, id: string): unknown {
  const [key, ...rest] = path
  if (key === undefined) return id
  if (key === '0') {
    const [first] = Array.isArray(body) ? (body as unknown[]) : []
    return [placeId(first, { path: rest }, id)]
  }
  // A body of another kind is replaced by what the path asks for.
  const holder = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  return { ...holder, [key]: placeId(holder[key], { path: rest }, id) }
}

/** Rows that a caller has no business with. Where the owner is not given, their item's id stands in. */
interface Others {
  readonly projectId: string
  readonly feedbackId: string
  readonly ownerId?: string
}

/** What the other organisation or project has for a field of that name. */
export function pickForeignId({ path }: IdField, foreign: Others): string {
  const name = path.findLast((key) => key !== '0') ?? ''
  if (/project/i.test(name)) return foreign.projectId
  if (/user|assignee/i.test(name)) return foreign.ownerId ?? foreign.feedbackId
  return foreign.feedbackId
}

/** An answer to compare with another's: without ids and times, which differ from call to call. */
export function hideIds<T extends { readonly text: string; readonly headers: Readonly<Record<string, unknown>> }>(
  answer: T,
): T {
  const hide = (text: string) => text.replace(allUuids, 'ID').replace(allTimes, 'TIME')
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? hide(value) : value,
  ])
  return { ...answer, text: hide(answer.text), headers: Object.fromEntries(headers) }
}

const allUuids = new RegExp(uuidPattern, 'g')
const allTimes = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g
