import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'
import { suppress } from '../suppressions/suppressions.queries.ts'
import { markBounced } from './bounces.queries.ts'
import { confirmSubscription } from './confirm-subscription.ts'
import { readBounces } from './read-bounces.ts'

const maxBodyBytes = 1_000_000
const maxReasonLength = 200

interface BounceParts {
  readonly database: Database
  readonly outbound: Outbound
  /** Null: every report is refused. */
  readonly secret: string | null
}

/**
 * Takes reports of mail providers about emails that came back. Not a route of the contracts: each provider has a format of
 * its own, and Amazon SNS sends JSON as text. A repeated report changes nothing.
 */
export function bounceRoutes(app: FastifyInstance, { database, outbound, secret }: BounceParts): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) => {
      done(null, body)
    })
    // Before the body is read: strangers can't make the server keep a large one.
    const onRequest = async (request: { headers: { authorization?: string | undefined } }) => {
      if (secret === null || !isSecret(request.headers.authorization, secret)) {
        throw new ProductError('hook_signature_invalid')
      }
    }
    scope.post('/api/v1/email-bounces', { onRequest }, async (request, reply) => {
      const report = parse(request.body)
      if (await confirmSubscription(outbound, report)) return reply.code(202).send({ taken: 0 })
      const bounces = readBounces(report)
      if (!bounces) throw invalid('body', 'must be a bounce in one of the documented formats')
      await database.asSystem('a mail provider reports bounces', async (tx) => {
        for (const { email, kind, reason, messageId } of bounces) {
          if (kind !== 'soft') await suppress(tx, email, kind === 'hard' ? 'hard_bounce' : 'complaint')
          const said = scrubText(reason).replaceAll(/\s+/g, ' ').replaceAll('\0', '').trim().slice(0, maxReasonLength)
          const id = readEmailId(messageId)
          if (kind !== 'complaint') await markBounced(tx, { id, email, reason: said || `${kind} bounce` })
        }
      })
      return reply.code(202).send({ taken: bounces.length })
    })
  })
}

/** The secret is the password of Basic authentication, for providers that take only an address, or a bearer token. */
function isSecret(header: string | undefined, secret: string): boolean {
  const [scheme = '', value = ''] = header?.split(' ') ?? []
  const basic = () => Buffer.from(value, 'base64').toString().split(':').slice(1).join(':')
  const given = scheme.toLowerCase() === 'basic' ? basic() : scheme.toLowerCase() === 'bearer' ? value : ''
  // Hashes have one length, so that the time of the comparison says nothing about the secret's.
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(secret))
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch (cause) {
    throw new ProductError('malformed_json', { cause })
  }
}

/** The id in the Message-ID that Earshot gave an email; null: it is another program's. */
function readEmailId(messageId: string | null): string | null {
  return /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/i.exec(messageId ?? '')?.[1] ?? null
}
