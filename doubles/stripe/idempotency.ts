/* Idempotent requests (https://docs.stripe.com/api/idempotent_requests). */
import { refuse, StripeRefusal } from './refusal.ts'

/** The answer to a request. */
export interface ApiReply {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

interface Kept {
  readonly request: string
  /** Undefined while the request runs. */
  reply: ApiReply | undefined
}

const maxKeyLength = 255

/** The results of requests by their keys: kept for ever, while Stripe keeps them for at least 24 hours. */
export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>()

  /**
   * Carries a request out once per key, whatever its status.
   * @param request method, path and parameters, which must be the same each time
   * @throws StripeRefusal for a key of another request, or of one that still runs
   */
  async run(key: string, request: string, execute: () => Promise<ApiReply>): Promise<ApiReply> {
    if (key.length > maxKeyLength) throw refuse(`Idempotency keys must be at most ${maxKeyLength} characters long.`)
    const kept = this.#kept.get(key)
    if (kept) return replay(kept, key, request)
    const own: Kept = { request, reply: undefined }
    this.#kept.set(key, own)
    own.reply = await execute()
    return own.reply
  }
}

function replay({ request, reply }: Kept, key: string, again: string): ApiReply {
  if (request !== again) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    throw new StripeRefusal(400, message, { type: 'idempotency_error' })
  }
  if (!reply) {
    const message = `There is currently another in-progress request using this Idempotent Key. Please try again later.`
    throw new StripeRefusal(409, message, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  }
  return { ...reply, headers: { ...reply.headers, 'idempotent-replayed': 'true' } }
}
