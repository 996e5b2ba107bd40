import { ReadableStream } from 'node:stream/web'
import { ERRORS, Server } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import { type AttachmentKind, maxAttachmentBytes } from '#contract/files.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { LockBusyError, type NamedLocks } from '#server/platform/locks/named-locks.ts'
import { tooLarge } from './announcement.ts'
import type { UploadStore } from './upload-store.ts'

/** What a request of the tus protocol is answered from. */
export interface TusParts {
  readonly store: UploadStore
  readonly locks: NamedLocks
  /** One per file, the same on every server. */
  readonly lockName: string
  readonly kind: AttachmentKind
  /** Address of the file. */
  readonly location: string
  /** Called with the size of each part of the body as it arrives; may throw to take no more. */
  readonly onBytes: (bytes: number) => void
}

// How long a request whose place another one wants may go on with what it has at hand.
const drainMs = 500

const passedOn = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-defer-length',
  'upload-length',
  'upload-offset',
] as const

/**
 * Answers a request by the tus protocol's server. It makes a server for the one request: it knows files by an id alone,
 * and ours belong to a project.
 *
 * @throws ProductError for everything that is refused.
 */
export async function answerByTus(request: FastifyRequest, parts: TusParts): Promise<Response> {
  const { store, locks, kind } = parts
  let failure: unknown
  const server = new Server({
    path: '/',
    datastore: store,
    namingFunction: () => parts.lockName,
    getFileIdFromRequest: () => parts.lockName,
    generateUrl: () => parts.location,
    maxSize: maxAttachmentBytes[kind],
    lockDrainTimeout: drainMs,
    locker: { newLock: () => createLock(locks, parts.lockName) },
    onUploadFinish: async () => {
      await store.complete()
      return {}
    },
    onResponseError: (_request, error) => {
      failure = error
      return undefined
    },
  })
  // The server stops reading the body: received bytes are kept, then the error is sent.
  let refusal: unknown
  const count = (bytes: number) => {
    try {
      parts.onBytes(bytes)
      return true
    } catch (error) {
      refusal = error
      return false
    }
  }
  const response = await server.handleWeb(toWebRequest(request, count))
  if (refusal !== undefined || failure !== undefined) dropRest(request)
  if (refusal !== undefined) throw refusal
  if (failure !== undefined) throw toProductError(failure, kind)
  if (response.status >= 400) throw readRefusal(response.status, await response.text())
  return response
}

/** Reads what still arrives of a refused body: unread, it would stop the connection's next request for ever. */
function dropRest({ raw }: FastifyRequest): void {
  raw.removeAllListeners('readable')
  raw.resume()
}

function createLock(locks: NamedLocks, name: string) {
  let release: (() => Promise<void>) | undefined
  return {
    lock: async (_signal: AbortSignal, onWanted: () => void | Promise<void>) => {
      release = await locks.acquire(name, () => void onWanted())
    },
    unlock: async () => {
      await release?.()
    },
  }
}

function toWebRequest(request: FastifyRequest, takes: (bytes: number) => boolean): Request {
  const headers = new Headers()
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const hasBody = request.method === 'POST' || request.method === 'PATCH'
  return new Request('http://tus.invalid/file', {
    method: request.method,
    headers,
    ...(hasBody && { body: ReadableStream.from(readArriving(request, takes)), duplex: 'half' }),
    // Node takes `duplex` and its own streams; the DOM's types lack them.
  } as unknown as RequestInit)
}

/** The body as it arrives. A connection that is cut is the end of what arrived, and that is kept. */
async function* readArriving(request: FastifyRequest, takes: (bytes: number) => boolean): AsyncIterable<Uint8Array> {
  // The connection stays open for the answer.
  const chunks = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of chunks) {
      if (!takes(chunk.length)) return
      yield chunk
    }
  } catch {
    // Cut off.
  }
}

function toProductError(error: unknown, kind: AttachmentKind): unknown {
  if (error instanceof LockBusyError) return new ProductError('upload_locked', { retryAfterSeconds: 1 })
  switch (error) {
    case ERRORS.INVALID_OFFSET:
      return new ProductError('upload_offset_conflict')
    case ERRORS.MISSING_OFFSET:
      return invalid('headers.upload-offset', 'must be given')
    case ERRORS.INVALID_CONTENT_TYPE:
      return invalid('headers.content-type', 'must be application/offset+octet-stream')
    case ERRORS.INVALID_LENGTH:
      return invalid('headers.upload-length', 'must be given once, and no less than what has arrived')
    case ERRORS.ERR_SIZE_EXCEEDED:
      return new ProductError('file_too_large', { detail: 'The file is longer than was said.' })
    case ERRORS.ABORTED:
      return new ProductError('upload_locked', { retryAfterSeconds: 1 })
  }
  // Errors of the tus server have it; other errors give undefined.
  return (error as { status_code?: number }).status_code === 413 ? tooLarge(kind) : error
}

/** What the protocol's server says of headers that it could not read, e.g. `Invalid upload-offset`. */
function readRefusal(status: number, text: string): ProductError {
  if (status === 412) return invalid('headers.tus-resumable', 'must be 1.0.0')
  const names = /^Invalid (.+)/.exec(text)?.[1]?.split(' ') ?? []
  return new ProductError('validation_failed', {
    fields: names.map((name) => ({ path: `headers.${name}`, message: 'is not valid' })),
  })
}
