import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** Prints the API from its contracts: the document at /api/v1/openapi.json, a page to browse it at /api/docs. */
export async function registerOpenApi(
  app: FastifyInstance,
  options: { appUrl: string; version: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Earshot API',
        version: options.version,
        description: 'Collect feedback from a website’s visitors and work it as a team.',
      },
      servers: [{ url: options.appUrl }],
      components: {
        securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    // Shared schemas keep their names.
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
    // Only what a contract describes belongs to the API; pages and files don't.
    transform: ({ schema, url }) => ({ schema: schema?.operationId ? schema : { ...schema, hide: true }, url }),
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'list', deepLinking: true },
  })
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(app.swagger()),
  )
}
