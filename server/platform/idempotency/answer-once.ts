import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidV7 } from 'uuid'
import type { Database } from '../database/database.ts'
import type { KeyCaller } from '../http/key-guard.ts'
import { ProductError } from '../http/product-error.ts'
import { beginRequest, findRequest, forgetRequest, keepAnswer, type RequestName } from './idempotency.queries.ts'

/*
 * Idempotency-Key of the public API (draft-ietf-httpapi-idempotency-key-header). A successful answer is kept for 24 hours
 * and given to each retry. A failed run leaves nothing behind, and its retry runs again. What a run creates gets an id
 * made of the key, so that a retry finds it even if the process died after its commit and before the answer was kept.
 */

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type AnswerOnce = (request: FastifyRequest, caller: KeyCaller, run: () => Promise<Answer>) => Promise<Answer>

const retryAfterSeconds = 1

/**
 * Makes the function that runs a request, or answers it as before.
 *
 * The function throws ProductError `idempotency_key_reused` for another request with the key, `request_in_progress` while
 * the first one runs, and whatever the run throws.
 */
export function createAnswerOnce(database: Database): AnswerOnce {
  return async (request, caller, run) => {
    const key = readKey(request)
    if (key === undefined) return run()
    const { actor, organizationId, projectId } = caller
    const name: RequestName = { organizationId, projectId, keyHash: hash(`${request.routeOptions.url} ${key}`) }
    const requestHash = hash(`${request.url}\n${JSON.stringify(request.body)}`)
    const startedAt = await database.withTenant(actor, (tx) => beginRequest(tx, name, requestHash))
    if (startedAt === undefined) {
      return repeatAnswer(await database.withTenant(actor, (tx) => findRequest(tx, name)), requestHash)
    }
    try {
      const answer = await run()
      const kept = { status: answer.status, body: JSON.stringify(answer.body) }
      await database.withTenant(actor, (tx) => keepAnswer(tx, name, startedAt, kept))
      return answer
    } catch (error) {
      // If this fails too, the key is free again after a minute.
      await database.withTenant(actor, (tx) => forgetRequest(tx, name, startedAt)).catch(() => {})
      throw error
    }
  }
}

/** The id of what a request creates: made of its idempotency key where it has one, else a new one. */
export function chooseId(request: FastifyRequest, { projectId }: KeyCaller): string {
  const key = readKey(request)
  if (key === undefined) return uuidV7()
  const bytes = hash(`${projectId} ${request.url} ${key}`).subarray(0, 16)
  // RFC 9562, section 5.8: version 8, of the application's own making.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function repeatAnswer(former: Awaited<ReturnType<typeof findRequest>>, requestHash: Buffer): Answer {
  // Between the two statements, the former run may have failed and forgotten itself: the client tries again.
  if (former && !former.requestHash.equals(requestHash)) throw new ProductError('idempotency_key_reused')
  if (former?.status == null || former.body === null)
    throw new ProductError('request_in_progress', { retryAfterSeconds })
  return { status: former.status, body: JSON.parse(former.body), headers: { 'idempotent-replayed': 'true' } }
}

/** The header, which the contract has checked. */
function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
