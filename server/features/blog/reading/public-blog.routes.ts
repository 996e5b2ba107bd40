import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUuid } from '#contract/uuid.ts'
import { compressAnswer } from '#server/platform/http/compress-answer.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { sendStored } from '#server/platform/http/send-stored.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { toPictureUrl } from '../pictures/picture-url.ts'
import type { Pictures } from '../pictures/pictures.service.ts'
import type { BlogReader } from './blog-reader.ts'
import { writeFeed } from './write-feed.ts'

interface PublicBlogParts {
  readonly reader: BlogReader
  readonly pictures: Pictures
  readonly storage: Storage
  readonly appUrl: string
}

/** What anyone can read besides the pages. XML and bytes, so no contracts. */
export function publicBlogRoutes(app: FastifyInstance, { reader, pictures, storage, appUrl }: PublicBlogParts): void {
  app.get('/blog/rss.xml', { schema: { hide: true }, onSend: compressAnswer }, async (request, reply) => {
    const feed = writeFeed(appUrl, await reader.list())
    const etag = `"${createHash('sha256').update(feed).digest('base64url').slice(0, 27)}"`
    reply.headers({ etag, 'cache-control': 'public, max-age=60' })
    if (isKnown(request, etag)) return reply.code(304).send()
    return reply.type('application/rss+xml; charset=utf-8').send(feed)
  })

  app.get('/blog/pictures/:name', { schema: { hide: true } }, async (request, reply) => {
    // The route's path has this parameter.
    const { name } = request.params as { name: string }
    const id = name.split('.')[0] ?? ''
    const picture = isUuid(id) ? await pictures.find(id) : undefined
    if (!picture || toPictureUrl(picture) !== `/blog/pictures/${name}`) throw new ProductError('route_not_found')
    const { storageKey: key, mime, bytes } = picture
    const etag = `"${picture.id}"`
    reply.type(mime).headers({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      // Readers of feeds and previews of links show pictures of posts.
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    if (isKnown(request, etag)) return reply.code(304).send()
    return sendStored(request, reply, storage, { key, bytes, etag, isDivisible: true })
  })
}

/** Whether the caller has what it asks for (RFC 9110, section 13.1.2). */
function isKnown(request: FastifyRequest, etag: string): boolean {
  const tags = request.headers['if-none-match']?.split(',') ?? []
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
