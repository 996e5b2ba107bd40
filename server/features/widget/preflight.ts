import type { FastifyInstance } from 'fastify'

/** Answers a browser's question whether a page of another origin may send this, as every page may. */
export function allowPreflight(scope: FastifyInstance, url: string, methods: string, headers: string): void {
  scope.options(url, { schema: { hide: true }, helmet: false }, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': headers,
        'access-control-max-age': '86400',
      })
      .send(),
  )
}
