import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { sendStored } from '#server/platform/http/send-stored.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { findStoredUpload, type Upload } from '../files.queries.ts'
import { toContentDisposition } from './content-disposition.ts'
import type { FileForm, FileLinks } from './file-link.ts'

export interface FileParts {
  readonly database: Database
  readonly storage: Storage
  readonly links: FileLinks
}

/** A form of a file, as it is sent. */
interface Sendable {
  readonly key: string
  readonly mime: string
  /** It is stored as gzip, and the browser unpacks it. */
  readonly isPacked: boolean
}

/**
 * Files for the team, by signed addresses: an `<img>` or a `<video>` can show no token. Nothing that a visitor sent may
 * run in our pages' place: types are by content and final, documents get no rights at all, and what is no picture,
 * sound or video is only ever saved.
 */
export function fileRoutes(app: FastifyInstance, parts: FileParts): void {
  app.get('/f/:token', { schema: { hide: true }, helmet: false }, (request, reply) => sendFile(request, reply, parts))
}

const answerHeaders = {
  'cache-control': 'private, max-age=1800, immutable',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, storage, links }: FileParts,
): Promise<FastifyReply> {
  reply.headers(answerHeaders)
  // The route's path has this parameter.
  const link = links.read((request.params as { token: string }).token)
  if (!link) throw new ProductError('file_not_found')
  const organizationId = link.storageKey.split('/')[0] ?? ''
  const upload = await database.asSystem('a signed address names the file', (tx) =>
    findStoredUpload(tx, organizationId, link.storageKey),
  )
  const sendable = upload && toSendable(upload, link.form)
  const stored = sendable && (await storage.stat(sendable.key))
  if (!upload || !sendable || !stored) throw new ProductError('file_not_found')

  const etag = `"${sendable.key.split('/')[1]}"`
  reply.headers({
    etag,
    'content-disposition': toContentDisposition(sendable.mime, upload.name, upload.kind),
    ...(sendable.isPacked ? { 'content-encoding': 'gzip' } : { 'accept-ranges': 'bytes' }),
  })
  reply.type(/^(text\/|application\/json)/.test(sendable.mime) ? `${sendable.mime}; charset=utf-8` : sendable.mime)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return sendStored(request, reply, storage, {
    key: sendable.key,
    bytes: stored.bytes,
    etag,
    isDivisible: !sendable.isPacked,
  })
}

function toSendable(upload: Upload, form: FileForm): Sendable | undefined {
  if (upload.state === 'receiving' || upload.state === 'refused' || upload.mime === null) return undefined
  const plain = (key: string | null, mime: string) => (key === null ? undefined : { key, mime, isPacked: false })
  switch (form) {
    case 'original': {
      const isPacked = upload.kind === 'replay' && upload.mime === 'application/gzip'
      return { key: upload.storageKey, mime: isPacked ? 'application/json' : upload.mime, isPacked }
    }
    case 'playback': {
      const family = upload.mime.startsWith('audio/') ? 'audio' : 'video'
      return plain(upload.playbackKey, `${family}/${upload.playbackKey?.split('.').at(-1)}`)
    }
    case 'poster':
      return plain(upload.posterKey, 'image/jpeg')
  }
}
