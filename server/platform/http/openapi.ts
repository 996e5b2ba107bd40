import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { describeForKeys } from './api-reference.ts'
import { readBasePath } from './base-path.ts'
import { compressAnswer } from './compress-answer.ts'

/**
 * Prints the API from its contracts: what keys may call at /api/v1/openapi.json, with a page to browse it at /api/docs, and
 * all of it at /api/openapi.json.
 */
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
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'es_…',
            description: 'An API key of a project. Owners create keys on the project’s page.',
          },
        },
      },
    },
    // Shared schemas keep their names.
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
    // Only what a contract describes belongs to the API; pages and files don't.
    transform: ({ schema, url }) => ({ schema: schema?.operationId ? schema : { ...schema, hide: true }, url }),
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    indexPrefix: readBasePath(options.appUrl),
    staticCSP: true,
    theme: { title: 'Earshot API' },
    // Without the bar for other documents, which carries another project's logo.
    uiConfig: { docExpansion: 'list', deepLinking: true, layout: 'BaseLayout' },
    transformSpecification: (document) => describeForKeys(document, app.contracts, options.appUrl),
  })
  const addDocument = (path: string, read: () => unknown) =>
    app.get(path, { schema: { hide: true }, onSend: compressAnswer }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(read()),
    )
  addDocument('/api/v1/openapi.json', () => describeForKeys(app.swagger(), app.contracts, options.appUrl))
  // Also what the web app and the widget call, which may change with each version.
  addDocument('/api/openapi.json', () => app.swagger())
}
