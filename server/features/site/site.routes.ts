import type { FastifyInstance } from 'fastify'
import { spend } from '#server/platform/http/add-route.ts'
import { perMinute, rateKeyOf } from '#server/platform/http/token-buckets.ts'
import { drawPicture } from './draw-picture.ts'
import { type ContentPage, writeRobots, writeSitemap } from './sitemap.ts'

/** For one IP address: drawing takes a tenth of a second. */
const drawnPerMinute = 30
const maxPictures = 200
const oneDay = 'public, max-age=86400'

interface SiteParts {
  readonly appUrl: string
  readonly listPages: () => Promise<readonly ContentPage[]>
}

/** What search engines and previews of links ask for. */
export function siteRoutes(app: FastifyInstance, { appUrl, listPages }: SiteParts): void {
  const buckets = perMinute(drawnPerMinute)
  /** By what stands on them, the one asked for last at the end. */
  const pictures = new Map<string, Promise<Buffer>>()

  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', oneDay).send(writeRobots(appUrl)),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(writeSitemap(appUrl, await listPages())),
  )
  app.get<{ Params: { '*': string } }>('/pictures/*', async (request, reply) => {
    const asked = `/${request.params['*'].replace(/\.png$/, '')}`
    const page = (await listPages()).find(({ path }) => path === (asked === '/home' ? '/' : asked))
    if (!page || !request.params['*'].endsWith('.png')) return reply.callNotFound()
    const key = JSON.stringify([page.title, page.description])
    let picture = pictures.get(key)
    if (!picture) {
      spend(buckets, rateKeyOf(request.ip))
      picture = drawPicture(page)
      picture.catch(() => pictures.delete(key))
    }
    pictures.delete(key)
    pictures.set(key, picture)
    const [oldest] = pictures.keys()
    if (pictures.size > maxPictures && oldest !== undefined) pictures.delete(oldest)
    return reply
      .type('image/png')
      .header('cache-control', oneDay)
      .send(await picture)
  })
}
