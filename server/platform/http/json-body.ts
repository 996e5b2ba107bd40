import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from './invalid.ts'
import { ProductError } from './product-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON bodies, and says of each that can't be read why. Other kinds of body are refused. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // Nothing is unpacked here: a small body that unpacks to a huge one is the attack.
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new ProductError('unsupported_media_type', { detail: 'Send the body without compression.' })
    return parseJsonBody(body)
  })
}

/** @throws ProductError `malformed_json`, or `validation_failed` for a key that would pollute prototypes. */
function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) throw new ProductError('malformed_json', { detail: 'The body is empty.' })
  const text = decode(body)
  const value = parse(text)
  // Hardly any body holds these words; only then is it worth a walk.
  if (/__proto__|constructor|\\u/.test(text)) refusePollution(value)
  return value
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    throw new ProductError('malformed_json', { detail: 'The body is not UTF-8.', cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ProductError('malformed_json', { cause })
  }
}

// Walks without recursion: a hostile body may nest as deep as it is long.
function refusePollution(root: unknown): void {
  const waiting: { value: unknown; path: string }[] = [{ value: root, path: 'body' }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      const pollutes =
        key === '__proto__' ||
        (key === 'constructor' && typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype'))
      if (pollutes) {
        throw invalid(`${path.slice(0, 200)}.${key}`, 'is not allowed as a name')
      }
      if (typeof inner === 'object') waiting.push({ value: inner, path: path.length > 200 ? path : `${path}.${key}` })
    }
  }
}
