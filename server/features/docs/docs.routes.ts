import type { FastifyInstance, FastifyReply } from 'fastify'
import { listGuides, readGuide, searchDocs } from '#contract/docs.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { compressAnswer } from '#server/platform/http/compress-answer.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Docs } from './docs.service.ts'

/** The same for everyone, until the next version is installed. */
const cached = { 'cache-control': 'public, max-age=300' }

export function docsRoutes(app: FastifyInstance, docs: Docs): void {
  addRoute(app, listGuides, async () => answer(200, { items: [...(await docs.listGuides())] }, cached))
  addRoute(app, readGuide, async ({ params }) => {
    const guide = await docs.readGuide(params.path)
    if (!guide || 'movedTo' in guide) throw new ProductError('guide_not_found')
    return answer(200, guide, cached)
  })
  addRoute(app, searchDocs, async ({ query }) => answer(200, { items: await docs.search(query.q) }, cached))
  addTexts(app, docs)
}

/** Addresses outside of the API: the guides' texts, and short addresses. */
function addTexts(app: FastifyInstance, docs: Docs): void {
  const options = { schema: { hide: true }, onSend: compressAnswer }
  const sendText = (reply: FastifyReply, type: 'plain' | 'markdown', text: string) =>
    reply.headers(cached).type(`text/${type}; charset=utf-8`).send(text)

  app.get<{ Params: { path: string } }>('/docs/guides/:path.md', options, async ({ params }, reply) => {
    const markdown = await docs.readMarkdown(params.path)
    if (markdown === undefined) throw new ProductError('guide_not_found')
    return sendText(reply, 'markdown', markdown)
  })
  app.get('/llms.txt', options, async (_request, reply) => sendText(reply, 'plain', await docs.writeLlmsTxt()))
  app.get('/docs/env-example', options, async (_request, reply) => sendText(reply, 'plain', await docs.readSettings()))
  for (const address of ['/docs', '/docs/', '/docs/guides', '/docs/guides/']) {
    app.get(address, { schema: { hide: true } }, async (_request, reply) => {
      const [first] = await docs.listGuides()
      if (!first) throw new ProductError('guide_not_found')
      // Another guide may be the first one day.
      return reply.redirect(`/docs/guides/${first.path}`, 302)
    })
  }
}
