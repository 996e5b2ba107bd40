import type { FastifyReply, FastifyRequest } from 'fastify'
import { FileMissingError, type Storage } from '#server/platform/storage/storage.ts'
import { readByteRange } from './byte-range.ts'
import { ProductError } from './product-error.ts'

/** Bytes in the storage, as they are sent. */
export interface StoredBytes {
  readonly key: string
  readonly bytes: number
  /** The reply's own entity tag: a range is sent only of the very file that was asked for before. */
  readonly etag: string
  /** False: always the whole, because what is sent is encoded. */
  readonly isDivisible: boolean
}

/**
 * Sends stored bytes, or the part of them that the request names (RFC 9110, section 14). The reply's type and whatever
 * else is said of the file are set before.
 *
 * @throws ProductError `range_not_satisfiable`; `file_not_found` when the bytes have gone since they were looked at.
 */
export async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Storage,
  { key, bytes, etag, isDivisible }: StoredBytes,
): Promise<FastifyReply> {
  // Node joins repeated headers of this name with commas: text.
  const isRangeWanted = isDivisible && [undefined, etag].includes(request.headers['if-range'] as string | undefined)
  const range = readByteRange(isRangeWanted ? request.headers.range : undefined, bytes)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new ProductError('range_not_satisfiable')
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  reply.header('content-length', range ? range.end - range.start + 1 : bytes)
  if (request.method === 'HEAD') return reply.send()
  try {
    return reply.send(await storage.read(key, range))
  } catch (error) {
    throw error instanceof FileMissingError ? new ProductError('file_not_found') : error
  }
}
