import type { FastifyInstance } from 'fastify'
import { isUuid } from '#contract/uuid.ts'
import type { Database } from '#server/platform/database/database.ts'
import { spend } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { TokenBuckets } from '#server/platform/http/token-buckets.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import { findDefinition } from '../registry.ts'
import { listValidKeys, openSecrets, type StoredSecrets, showSigningKey } from '../secrets.ts'
import { findTrackerConnection, noteHook, requestSyncsOfIssues } from './links.queries.ts'
import type { Tracker, TrackerHook } from './tracker.ts'

const maxBodyBytes = 5_000_000
const reason = 'a tracker says that issues have changed'

interface HookParams {
  readonly organizationId: string
  readonly integrationId: string
}

/**
 * Takes calls of trackers. A call is a hint: it names issues, which are then read. Not a route of the contracts, because its
 * body is each tracker's own and must be checked byte by byte.
 */
export async function hooksRoutes(
  app: FastifyInstance,
  { database, seals, buckets }: { database: Database; seals: Seals; buckets: TokenBuckets },
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) => {
      done(null, body)
    })
    scope.post<{ Params: HookParams }>('/api/v1/hooks/:organizationId/:integrationId', async (request, reply) => {
      const { organizationId, integrationId } = request.params
      if (!isUuid(organizationId) || !isUuid(integrationId)) throw new ProductError('integration_not_found')
      spend(buckets, integrationId)
      const connection = await database.asSystem(reason, (tx) =>
        findTrackerConnection(tx, organizationId, integrationId),
      )
      const tracker = connection && findDefinition(connection.type)?.tracker
      if (!connection || !tracker) throw new ProductError('integration_not_found')
      const { signing, hook: own } = readSecrets(seals, { organizationId, integrationId }, connection.secrets)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const secrets = own === undefined ? listValidKeys(signing).map(showSigningKey) : [own]
      const hook = secrets
        .map((secret) => readHook(tracker, { headers: toPlain(request.headers), body }, secret))
        .find((read) => read !== undefined)
      if (!hook) throw new ProductError('hook_signature_invalid')
      await database.asSystem(reason, async (tx) => {
        const isNew = await noteHook(tx, { organizationId, integrationId, hookId: hook.id.slice(0, 200) })
        if (isNew) await requestSyncsOfIssues(tx, { organizationId, integrationId, issueKeys: hook.issueKeys })
      })
      return reply.code(204).send()
    })
  })
}

/** Headers that a tracker sends once. */
function toPlain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]))
}

function readSecrets(seals: Seals, place: HookParams, sealed: string): StoredSecrets {
  try {
    return openSecrets(seals, place, sealed)
  } catch (error) {
    if (error instanceof SealError) throw new ProductError('integration_unreadable')
    throw error
  }
}

/** @throws ProductError `malformed_json` for a signed body that is none, such as that of a webhook set to send forms. */
function readHook(tracker: Tracker<never>, ...hook: Parameters<Tracker<never>['readHook']>): TrackerHook | undefined {
  try {
    return tracker.readHook(...hook)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProductError('malformed_json')
    throw error
  }
}
