import { type Facts, gateOf } from '#server/testing/facts.ts'

export const facts: Facts = {
  gates: gateOf('nothing', [
    'GET /api/docs',
    'GET /api/docs/json',
    'GET /api/docs/static/*',
    'GET /api/docs/static/index.html',
    'GET /api/docs/static/swagger-initializer.js',
    'GET /api/docs/yaml',
    'GET /api/openapi.json',
    'GET /api/v1/openapi.json',
    'GET /health',
    // 404 unless the operator turned metrics on.
    'GET /metrics',
    'GET /ready',
  ]),
}
