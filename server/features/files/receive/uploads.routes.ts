import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { spend } from '#server/platform/http/add-route.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Visit } from '../../widget/widget.service.ts'
import { type Announcement, readAnnouncement, readUploadId } from './announcement.ts'
import { answerByTus } from './tus-request.ts'
import type { UploadParts } from './upload-parts.ts'
import { UploadStore } from './upload-store.ts'

const kibibyte = 1024
// Small enough to limit the excess, large enough that counting costs nothing.
const countedBytes = 64 * kibibyte

/**
 * Where visitors send files, by the protocol tus 1.0 (core, creation, creation with upload, deferred length,
 * termination; https://tus.io/protocols/resumable-upload). Like the rest of what widgets ask for, it answers pages of
 * any origin, and knows no cookies.
 */
export function uploadRoutes(app: FastifyInstance, parts: UploadParts): void {
  app.register(async (scope) => {
    const options = { schema: { hide: true }, helmet: false } as const
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(answerHeaders)
    })
    // The body is the file's own bytes: it goes to the storage as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    for (const url of ['/e/:widgetKey/uploads', '/e/:widgetKey/uploads/:uploadId']) {
      scope.options(url, options, async (_request, reply) => reply.code(204).headers(preflightHeaders).send())
    }
    scope.post('/e/:widgetKey/uploads', options, (request, reply) => create(request, reply, parts))
    scope.route({
      ...options,
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: '/e/:widgetKey/uploads/:uploadId',
      handler: (request, reply) => proceed(request, reply, parts),
    })
  })
}

const exposed = 'location, retry-after, tus-resumable, upload-defer-length, upload-length, upload-offset, x-request-id'

const answerHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'tus-resumable': '1.0.0',
  'x-content-type-options': 'nosniff',
}

const preflightHeaders = {
  'access-control-allow-headers':
    'content-type, tus-resumable, upload-defer-length, upload-length, upload-metadata, upload-offset, x-request-id',
  'access-control-allow-methods': 'POST, HEAD, PATCH, DELETE',
  'access-control-max-age': '86400',
  'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination',
  'tus-version': '1.0.0',
}

async function create(request: FastifyRequest, reply: FastifyReply, parts: UploadParts): Promise<FastifyReply> {
  // The route's path has this parameter.
  const { widgetKey } = request.params as { widgetKey: string }
  spend(parts.creationBuckets, rateKey(request))
  const visit = await parts.widget.admit(widgetKey, request.headers.origin)
  parts.widget.requireOpen(visit)
  const { widget } = visit
  requireProtocol(request)
  const announced = readAnnouncement(request.headers)
  requireKind(widget, announced)
  const { organizationId, projectId } = widget
  await parts.quotas.require({ kind: 'upload', organizationId, projectId, bytes: announced.bytes ?? 0 })
  const store = new UploadStore(parts, { organizationId, projectId, id: announced.id })
  const location = `/e/${widgetKey}/uploads/${announced.id}`
  const isNew = await store.insert({
    kind: announced.kind,
    name: announced.name,
    declaredMime: announced.mime,
    declaredBytes: announced.bytes,
  })
  if (!isNew) return repeatCreation(reply, store, announced, location)
  try {
    const response = await answerByTus(request, { ...tusParts(request, parts, store, announced), location })
    return pass(response, reply)
  } catch (error) {
    // Refused bytes of the creation request undo the creation.
    await store.discardEmpty()
    throw error
  }
}

/** Answers a creation whose answer was lost like the first time, and says how much has arrived since. */
async function repeatCreation(
  reply: FastifyReply,
  store: UploadStore,
  announced: Announcement,
  location: string,
): Promise<FastifyReply> {
  const upload = await store.find().catch((error: unknown) => {
    throw error instanceof ProductError ? new ProductError('id_reused') : error
  })
  const isSame =
    upload.kind === announced.kind &&
    (announced.bytes === null || upload.declaredBytes === null || upload.declaredBytes === announced.bytes)
  if (!isSame) throw new ProductError('id_reused', { detail: 'Another file was announced under this id.' })
  if (announced.bytes !== null && upload.declaredBytes === null && upload.state === 'receiving') {
    if (announced.bytes < (await store.getUpload(upload.id)).offset) {
      throw invalid('headers.upload-length', 'must not be less than what has arrived')
    }
    await store.declareUploadLength(upload.id, announced.bytes)
  }
  const { offset } = await store.getUpload(upload.id)
  return reply
    .code(201)
    .headers({ location, 'upload-offset': String(offset) })
    .send()
}

async function proceed(request: FastifyRequest, reply: FastifyReply, parts: UploadParts): Promise<FastifyReply> {
  // The route's path has these parameters.
  const { widgetKey, uploadId } = request.params as { widgetKey: string; uploadId: string }
  spend(parts.requestBuckets, rateKey(request))
  const { widget } = await parts.widget.admit(widgetKey, request.headers.origin)
  requireProtocol(request)
  const { organizationId, projectId } = widget
  const target = { organizationId, projectId, id: readUploadId(uploadId) }
  const store = new UploadStore(parts, target)
  const { kind } = await store.find()
  if (request.method === 'PATCH') {
    requireOctets(request)
    await parts.quotas.require({ kind: 'upload', organizationId, projectId, bytes: 0 })
  }
  return pass(
    await answerByTus(request, { ...tusParts(request, parts, store, { kind }), location: request.url }),
    reply,
  )
}

function tusParts(
  request: FastifyRequest,
  parts: UploadParts,
  store: UploadStore,
  { kind }: Pick<Announcement, 'kind'>,
) {
  return {
    store,
    locks: parts.locks,
    lockName: store.lockName,
    kind,
    onBytes: countBytes(parts.byteBuckets, rateKey(request)),
  }
}

/** Counts a body against what its sender may send, as it arrives. */
function countBytes(buckets: TokenBuckets, key: string): (bytes: number) => void {
  let uncounted = 0
  return (bytes) => {
    uncounted += bytes
    if (uncounted < countedBytes) return
    spend(buckets, key, Math.floor(uncounted / kibibyte))
    uncounted %= kibibyte
  }
}

function rateKey(request: FastifyRequest): string {
  // The route's path has this parameter.
  const { widgetKey } = request.params as { widgetKey: string }
  return `${widgetKey} ${rateKeyOf(request.ip)}`
}

function requireProtocol(request: FastifyRequest): void {
  if (request.headers['tus-resumable'] !== '1.0.0') throw invalid('headers.tus-resumable', 'must be 1.0.0')
}

function requireOctets(request: FastifyRequest): void {
  if (request.headers['content-type'] === 'application/offset+octet-stream') return
  throw invalid('headers.content-type', 'must be application/offset+octet-stream')
}

/** What a project does not ask for, its visitors cannot send. */
function requireKind(widget: Visit['widget'], { kind }: Announcement): void {
  const { capture, replay } = widget.settings
  const isAsked = kind === 'replay' ? replay : capture[kind]
  if (!isAsked) throw invalid('metadata.kind', `must be something that this project asks for, not ${kind}`)
}

async function pass(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  for (const name of ['location', 'upload-offset', 'upload-length', 'upload-defer-length']) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  return reply.code(response.status).send()
}
