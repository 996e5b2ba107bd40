import type { FastifyInstance } from 'fastify'
import { AuthError } from './auth-error.ts'

const maxDepth = 20

/** Accepts bodies as bytes with any declared type: clients of this protocol send JSON under several types. */
export function takeRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addHook('onRequest', async (request) => {
    // Fastify refuses a malformed type before any parser sees the body.
    request.raw.headers['content-type'] = 'application/json'
  })
}

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads a body as a JSON object that the database can hold. No body is an empty object.
 *
 * @throws AuthError `bad_json`, or `validation_failed` for text that PostgreSQL can't store or too deep nesting.
 */
export function readJsonObject(body: unknown): JsonObject {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : 'it is not valid UTF-8'
    throw new AuthError('bad_json', { message: `Could not parse request body as JSON: ${reason}`, cause: error })
  }
  if (!isJsonObject(value)) {
    throw new AuthError('bad_json', { message: 'Could not parse request body as JSON: it is not an object' })
  }
  const flaw = findFlaw(value, 0)
  if (flaw) throw new AuthError('validation_failed', { message: flaw })
  return value
}

/** A text field; empty when it is missing or null. @throws AuthError `validation_failed` for any other type. */
export function readText(body: JsonObject, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new AuthError('validation_failed', { message: `${name} must be a string` })
  return value
}

/** A boolean; `fallback` when it is missing or null. @throws AuthError `validation_failed` for any other type. */
export function readFlag(body: JsonObject, name: string, fallback: boolean): boolean {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'boolean') throw new AuthError('validation_failed', { message: `${name} must be true or false` })
  return value
}

/** A nested object; empty when it is missing or null. @throws AuthError `validation_failed` for any other type. */
export function readObject(body: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null) return {}
  if (!isJsonObject(value)) throw new AuthError('validation_failed', { message: `${name} must be an object` })
  return value
}

/** A query parameter; empty when it is missing, the first when it is repeated. */
export function readQuery(query: unknown, name: string): string {
  // Fastify parses queries to objects; each value is unknown.
  const value = [(query as JsonObject)[name]].flat()[0]
  if (typeof value !== 'string') return ''
  if (findFlaw(value, 0))
    throw new AuthError('validation_failed', { message: `${name} contains characters that can't be stored` })
  return value
}

/** The reason why the value can't be stored; undefined when it can. */
function findFlaw(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed() ? "Text contains characters that can't be stored" : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= maxDepth) return 'The body is nested too deeply'
  for (const [key, inner] of Object.entries(value)) {
    const flaw = findFlaw(key, depth) ?? findFlaw(inner, depth + 1)
    if (flaw) return flaw
  }
  return undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
